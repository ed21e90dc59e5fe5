// What an engine says while it searches: lines "info", from which the result is taken. Only PVs of
// one depth are taken together, those of the last depth that was searched to its end.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"
#include "codec/position_record.hpp"

namespace fendex::uci {

/// The engine said something that cannot be; what() says what.
class Nonsense : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// One search of one position.
class SearchLines {
  public:
    /// `pvs` is the number of PVs that the engine will show: as many as were asked for, but not
    /// more than there are legal moves.
    SearchLines(const chess::AnyPosition& position, std::size_t pvs)
        : position_(position), pvs_(pvs) {}

    /// Reads a line that begins with "info". Returns whether it shows that the search goes on: a
    /// greater depth, or more nodes. Throws Nonsense.
    bool add_info(std::string_view line);
    /// Reads the line "bestmove". Throws Nonsense.
    void end(std::string_view line) const;

    /// Returns the PVs of the greatest depth of which all PVs were shown, with the most nodes that
    /// were named; empty if there is none.
    [[nodiscard]] std::optional<codec::Evaluation> result() const;
    std::uint32_t depth() const { return depth_; }
    std::uint64_t nodes() const { return nodes_; }

  private:
    struct Info;

    static Info read(std::string_view words);
    std::vector<chess::Move> read_pv(std::string_view words) const;
    codec::Score score_of(const Info& info) const;
    void add_variation(const Info& info);

    chess::AnyPosition position_;
    std::size_t pvs_;
    std::uint32_t depth_ = 0;  // the greatest that was named
    std::uint64_t nodes_ = 0;
    codec::Evaluation shown_;     // the PVs of a depth, as far as they were shown
    codec::Evaluation complete_;  // no PVs: none yet
};

}  // namespace fendex::uci
