// Finds contradictions of a game's tag pairs: with each other, with the moves, with the calendar.
// The game is stored unchanged; an import records contradictions as warnings. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/game_facts.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// The reasons of these warnings begin with this text.
inline constexpr std::string_view kContradiction = "contradiction: ";

struct Contradiction {
    std::string reason;
    const store::TagPair* tag = nullptr;  // the tag that is wrong; null if no tag is
};

/// How the moves of a game end.
struct GameEnd {
    codec::Result marker = codec::Result::kUnknown;  // after the moves
    std::optional<std::uint32_t> plies{};            // empty if not all moves could be read
    /// The result by the rules in the last position ("1-0", "0-1", "1/2-1/2"), "*" if the game may
    /// go on or not all moves could be read.
    std::string_view by_rules = "*";
};

/// Appends the contradictions to `out`.
void find_contradictions(std::span<const store::TagPair> tags, const GameEnd& end,
                         std::vector<Contradiction>& out);

}  // namespace fendex::replay
