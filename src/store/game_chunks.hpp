// Lists of games, cut into chunks (codec/columns.hpp), whose columns are decoded together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/columns.hpp"
#include "store/records.hpp"

namespace fendex::store {

/// Returns the number after the last game in the chunk of `game`.
inline GameId end_of_chunk(GameId game) {
    return game - (game - 1) % codec::kGamesPerChunk + codec::kGamesPerChunk;
}

/// Returns the number of chunks with the games up to this one.
inline std::size_t chunks_up_to(GameId last) {
    return (last + codec::kGamesPerChunk - 1) / codec::kGamesPerChunk;
}

/// Removes the games before `end` from the front of `games`, which are ascending, and returns them.
/// The removed games must be of one chunk.
inline std::span<const std::uint32_t> take_games_before(GameId end,
                                                        std::span<const std::uint32_t>& games) {
    // A chunk has at most this many games, so a search in these is enough.
    const auto near = games.first(std::min(games.size(), codec::kGamesPerChunk));
    const auto count = static_cast<std::size_t>(std::ranges::lower_bound(near, end) - near.begin());
    games = games.subspan(count);
    return near.first(count);
}

}  // namespace fendex::store
