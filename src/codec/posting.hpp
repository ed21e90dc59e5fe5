// A posting records that a game stood in a position at a ply, and the move played next.
#pragma once

#include <compare>
#include <cstdint>

#include "chess/types.hpp"

namespace fendex::codec {

/// The move of a posting at the end of its game, where no move was played.
inline constexpr chess::Move kGameEndsHere{};

/// Sixteen bytes, ordered as in segments: by key, next move, game, ply. In a segment, game numbers
/// are relative to its first game; before that they are game ids modulo kMaxGames.
struct Posting {
    static constexpr unsigned kPlyBits = 20;
    static constexpr unsigned kGameBits = 28;
    static constexpr std::uint32_t kMaxPly = (1U << kPlyBits) - 1;
    static constexpr std::uint32_t kMaxGames = 1U << kGameBits;

    std::uint64_t key = 0;
    std::uint64_t rest = 0;  // move (16) | game (28) | ply (20)

    Posting() = default;
    Posting(std::uint64_t k, chess::Move next, std::uint32_t game, std::uint32_t ply)
        : key(k),
          rest(std::uint64_t{next.bits()} << (kGameBits + kPlyBits) |
               std::uint64_t{game} << kPlyBits | ply) {}

    /// The game number of an id: the id modulo kMaxGames.
    static constexpr std::uint32_t game_number(std::uint64_t id) {
        return static_cast<std::uint32_t>(id & (kMaxGames - 1));
    }

    chess::Move next() const {
        return chess::Move::from_bits(static_cast<std::uint16_t>(rest >> (kGameBits + kPlyBits)));
    }
    std::uint32_t game() const {
        return static_cast<std::uint32_t>(rest >> kPlyBits) & (kMaxGames - 1);
    }
    std::uint32_t ply() const { return static_cast<std::uint32_t>(rest) & kMaxPly; }

    /// Returns this posting with its game number relative to `first`, modulo kMaxGames.
    Posting counted_from(std::uint32_t first) const {
        constexpr std::uint64_t kGames = std::uint64_t{kMaxGames - 1} << kPlyBits;
        Posting out = *this;
        out.rest = (rest & ~kGames) | ((rest - (std::uint64_t{first} << kPlyBits)) & kGames);
        return out;
    }

    auto operator<=>(const Posting&) const = default;
};

}  // namespace fendex::codec
