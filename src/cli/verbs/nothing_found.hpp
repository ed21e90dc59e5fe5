// Hints on stderr when nothing was found: what the user may have meant.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"
#include "cli/options/arguments.hpp"
#include "query/game_filter.hpp"
#include "query/position_match.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

/// A question that found nothing, besides the conditions on games.
struct Sought {
    std::optional<chess::AnyPosition> position = {};
    query::Match match = query::Match::kExact;
    bool variations = false;
    std::string where = {};  // "positions.fen:12: ", if it is one of several questions
    std::string_view wanted = "meets the conditions";  // after "but none that"
};

/// The questions of a command line that found nothing. Only the first few are explained.
class Unanswered {
  public:
    void add(Sought question);
    /// Prints why there may be no such games, if a reason is known: the databases have none of the
    /// variant, no name fits, no variations are indexed, only other games reached the position, or
    /// games reached it with another side to move. If none is known, it says to a terminal that
    /// nothing was found. Prints nothing with --quiet, or if nothing was added.
    void explain(const Arguments& arguments, std::span<store::StoreReader* const> readers,
                 const query::GameFilter& filter) const;

  private:
    std::vector<Sought> first_;
    std::uint64_t more_ = 0;
};

/// Explains why a single question to one database found nothing.
void explain_nothing(const Arguments& arguments, store::StoreReader& reader,
                     const query::GameFilter& filter, Sought question = {});

}  // namespace fendex::cli
