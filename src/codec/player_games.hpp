// The games of players: for a range of games, who played them, in the order of players. Rows of
// some four thousand bytes, so that the games of one player are found without reading those of
// others. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/types.hpp"

namespace fendex::codec {

/// A player had a colour in a game. Ordered by player, game and colour, White first.
class PlayerGame {
  public:
    /// `game` counts from the first game of the range, and is less than 2^31.
    constexpr PlayerGame(std::uint32_t player, std::uint32_t game, chess::Color color)
        : number_(std::uint64_t{player} << 32 | std::uint64_t{game} << 1 |
                  (color == chess::Color::kBlack ? 1U : 0U)) {}

    /// Returns the player's code (codec/game_codes.hpp).
    [[nodiscard]] constexpr std::uint32_t player() const {
        return static_cast<std::uint32_t>(number_ >> 32);
    }
    [[nodiscard]] constexpr std::uint32_t game() const {
        return static_cast<std::uint32_t>(number_) >> 1;
    }
    [[nodiscard]] constexpr chess::Color color() const {
        return (number_ & 1) != 0 ? chess::Color::kBlack : chess::Color::kWhite;
    }
    /// Returns game() and color() as one number.
    [[nodiscard]] constexpr std::uint32_t side() const {
        return static_cast<std::uint32_t>(number_);
    }

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 means the 0 of a defaulted operator
    constexpr auto operator<=>(const PlayerGame&) const = default;

  private:
    std::uint64_t number_;
};

/// Each row says what the next one begins with, so that a reader notices if that one is lost.
struct PlayerGameRow {
    std::uint32_t first_player = 0;  // 0 in the first row
    std::uint32_t part = 0;          // counts the rows that begin with this player
    std::string data;
};

/// Returns the rows of sorted games of players from 1 on; one without games if there are none.
[[nodiscard]] std::vector<PlayerGameRow> encode_player_games(std::span<const PlayerGame> sorted);

/// Appends the games of a row to `out`, sorted, all of players from `first_player` on. Returns the
/// first player of the next row, 0 if there is none; nothing if the bytes are damaged.
[[nodiscard]] std::optional<std::uint32_t> decode_player_games(std::string_view data,
                                                               std::uint32_t first_player,
                                                               std::vector<PlayerGame>& out);

}  // namespace fendex::codec
