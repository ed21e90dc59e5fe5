// The hits of a search for a position, one by one.
#pragma once

#include <exception>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/stop_check.hpp"
#include "query/position_search.hpp"
#include "store/engine.hpp"

namespace fendex::query {

/// Returns the hits of PositionSearch::find() one by one. Reads games in batches, only when they
/// are needed.
class HitCursor {
  public:
    /// Finds games after `after`. The search must outlive the cursor.
    HitCursor(PositionSearch& search, Question question, std::stop_token stop = {},
              store::GameId after = 0);

    [[nodiscard]] bool next(Hit& out);

  private:
    void choose_games();
    void replay_games();

    PositionSearch& search_;
    Question question_;
    std::unique_ptr<store::Engine::ReachedGames> games_;
    base::StopCheck stop_;
    std::size_t batch_;  // number of games to read at once
    std::size_t most_at_once_;
    std::vector<store::GameId> ids_;
    std::vector<store::Engine::Reached> reached_;  // indexed like ids_
    std::vector<Hit> hits_;                        // the first `found_` are valid
    std::size_t found_ = 0;
    std::size_t next_ = 0;        // index in hits_ of the hit to return next
    std::exception_ptr failure_;  // thrown after these hits
};

}  // namespace fendex::query
