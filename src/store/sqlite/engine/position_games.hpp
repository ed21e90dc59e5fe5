// The games that reached a position, as a set for each move that was played next. A filter is
// applied by intersecting its set with them. Const once made; kept in the snapshot cache if they
// are many.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/stop_check.hpp"
#include "chess/types.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/game_set.hpp"

namespace fendex::store {

struct PositionGames {
    struct Group {
        chess::Move next;  // codec::kGameEndsHere: none
        GameSet games;
        /// Games that returned and played the move again, once for each time.
        std::vector<std::uint32_t> again;
    };
    std::vector<Group> groups;
    GameSet all;
    /// Games that are in more than one group, once for each further group.
    std::vector<std::uint32_t> in_others;
    /// Games that reached the position more than once.
    GameSet repeated;
    /// Games that may have reached the position, at most once: a replay decides.
    std::vector<GameId> unverified;

    [[nodiscard]] std::size_t bytes() const;
};

/// Returns what is in the snapshot cache; null if nothing is.
std::shared_ptr<const PositionGames> known_games_of_position(LocalReader& reader,
                                                             std::uint64_t key);
/// Throws base::Stopped.
std::shared_ptr<const PositionGames> games_of_position(LocalReader& reader, std::uint64_t key,
                                                       base::StopCheck& stop);
/// Returns them if they are known, or if this function was called for the position before: then
/// they are worth the time that it takes to make the sets, unless there are so many games that a
/// scan (position_scan.hpp) by several threads is better each time. Null otherwise. Throws
/// base::Stopped.
std::shared_ptr<const PositionGames> games_of_position_again(LocalReader& reader, std::uint64_t key,
                                                             base::StopCheck& stop);

}  // namespace fendex::store
