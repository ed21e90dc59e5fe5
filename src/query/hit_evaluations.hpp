// Hits at positions with an evaluation in a range: by the game's own comment at the ply, else by
// the record of the position in the same database.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "codec/swing.hpp"
#include "query/evaluations.hpp"
#include "query/position_search.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// Scores from White's view, both ends included, as codec::rank_of() returns them.
struct ScoreRange {
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

/// For one thread.
class HitEvaluations {
  public:
    /// The reader must outlive it.
    HitEvaluations(store::StoreReader& reader, const ScoreRange& range);

    /// Removes the plies of the hit whose evaluation is unknown or not in the range. Returns false
    /// if none is left. Throws StoreError.
    [[nodiscard]] bool keep(Hit& hit);

  private:
    bool fits(const chess::AnyPosition& position, std::optional<codec::Score> own);
    void read_scores(store::GameId game);
    std::optional<codec::Score> score_at(std::uint32_t ply) const;

    store::StoreReader* reader_;
    ScoreRange range_;
    Evaluations evaluations_;
    std::string annotation_;
    std::vector<codec::PlyScore> scores_;  // those of the game
    store::StoredMoves moves_;
    std::vector<std::uint32_t> kept_;
};

}  // namespace fendex::query
