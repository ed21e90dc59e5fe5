// The hits of a search for a position in games and in their variations, one by one.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "base/stop_check.hpp"
#include "query/hit_cursor.hpp"

namespace fendex::query {

/// Returns the hits of PositionSearch::find_with_variations() one by one.
class VariationHitCursor {
  public:
    /// The search must outlive the cursor.
    VariationHitCursor(PositionSearch& search, Question question, std::stop_token stop = {});

    [[nodiscard]] bool next(Hit& out);

  private:
    void list_games();
    void read_games();

    PositionSearch& search_;
    Question question_;
    HitCursor in_games_;
    std::stop_token token_;
    base::StopCheck stop_;
    std::vector<store::GameId> games_;  // games whose variations come next, last first
    store::GameId last_listed_ = 0;     // the games up to this one have been in `games_`
    bool all_listed_ = false;
    std::vector<std::vector<Hit>> read_;  // the hits of the first of `games_`, last first
    std::vector<Hit> in_variations_;      // of one game, last first
    std::optional<Hit> in_game_;          // the next hit in a game itself
};

}  // namespace fendex::query
