// What is known of each ply of a game: the numbers in its comments, and the evaluation of the
// position after it, which is the game's own or, if it has none there, that of a record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/score.hpp"
#include "query/evaluations.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// An evaluation from White's view, as columns show it. Everything empty: none.
struct PlyEvaluation {
    std::optional<double> pawns;
    std::optional<std::int64_t> mate;  // moves; negative if Black mates
    std::optional<std::uint32_t> depth;

    bool is_known() const { return pawns || mate; }
};
[[nodiscard]] PlyEvaluation ply_evaluation(const Verdict& verdict);

/// The numbers that servers and engines wrote into the comments after a ply.
struct PlyNumbers {
    std::uint32_t ply = 0;
    std::optional<double> clock;
    std::optional<double> emt;
    PlyEvaluation evaluation;
    std::optional<codec::Score> score;  // the same evaluation
};

/// The comments of one game after another.
class CommentNumbers {
  public:
    void clear();
    /// Throws StoreError if the annotation is damaged.
    void read(store::StoreReader& reader, store::GameId game);
    /// Plies must ascend from one call to the next.
    const PlyNumbers& at(std::uint32_t ply);
    /// Returns whether two positions in a row have evaluations, so that the loss of a move is
    /// known.
    bool has_loss() const;

  private:
    std::string annotation_;
    std::vector<PlyNumbers> plies_;
    std::size_t next_ = 0;  // the first that is not before the last ply
};

}  // namespace fendex::query
