// Compares the swings of games that have no evaluations of their own, by the records of positions.
// Replays a game and looks up each of its positions, so it should be the last condition.
#pragma once

#include <optional>
#include <vector>

#include "base/stop_check.hpp"
#include "codec/swing.hpp"
#include "store/game_filter.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/game_conditions.hpp"

namespace fendex::store {

[[nodiscard]] bool has_position_records(LocalReader& reader);

class RecordSwings {
  public:
    /// The filter must outlive it. Looks up names. Throws base::Stopped.
    RecordSwings(LocalReader& reader, const GameFilter& filter, base::StopCheck& stop);

    /// Returns whether an existing game that fits the other conditions has the swings of the
    /// filter. Throws base::Stopped.
    bool fit(GameId game, base::StopCheck& stop);

  private:
    codec::GameSwings swings(GameId game, base::StopCheck& stop);

    LocalReader& reader_;
    PositionRecords& records_;
    const GameFilter& filter_;
    // Of the player whose swing is asked for; empty: that of either player.
    std::optional<GameCondition> is_white_;
    std::optional<GameCondition> is_black_;
    StoredMoves moves_;
    std::vector<codec::PlyScore> scores_;
};

}  // namespace fendex::store
