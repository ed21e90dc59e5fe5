// The values of games that filters compare, and the kinds of names.
#pragma once

#include <cstddef>
#include <cstdint>

#include "chess/types.hpp"

namespace fendex::store {

/// The values that filters compare. Each is one number per game: a fact (codec/game_facts.hpp), the
/// code of a name (codec/game_codes.hpp), or a swing. 0 means unknown.
enum class GameColumn : std::uint8_t {
    kResult,
    kTimeClass,
    kMode,
    kVariant,
    kWhiteElo,
    kBlackElo,
    kDate,
    kPlies,
    kWhite,
    kBlack,
    kEvent,
    kSite,
    kEco,
    kTermination,
    kOpening,
    kWhiteSwing,  // 0 or the swing plus 1 (codec/swing.hpp)
    kBlackSwing,
    kEloSum,  // the sum of both ratings; 0 if one is unknown
};

/// Returns the column of the players who had a colour.
constexpr GameColumn column_of(chess::Color color) {
    return color == chess::Color::kWhite ? GameColumn::kWhite : GameColumn::kBlack;
}

enum class NameKind : std::uint8_t { kPlayer, kEvent, kSite, kTagValue, kOpening, kTagShape };
inline constexpr std::size_t kNameKinds = 6;

}  // namespace fendex::store
