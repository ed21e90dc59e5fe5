// Ranges of consecutive games, by their ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "store/records.hpp"

namespace fendex::store {

/// The games from first to last; empty if last is less than first.
struct GameRange {
    GameId first = 1;
    GameId last = 0;

    bool operator==(const GameRange&) const = default;
};

/// Removes up to `games` games from the front of `rest` and returns them; returns nothing if `rest`
/// is empty.
[[nodiscard]] inline std::optional<GameRange> take_front(GameRange& rest, std::uint64_t games) {
    if (rest.first > rest.last) return std::nullopt;
    const GameRange front{rest.first, std::min(rest.first + games - 1, rest.last)};
    rest.first = front.last + 1;
    return front;
}

}  // namespace fendex::store
