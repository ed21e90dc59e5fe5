// The values of games that filters compare, and the kinds of names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "chess/types.hpp"
#include "codec/game_facts.hpp"

namespace fendex::store {

/// The values that filters compare. Each is one number per game: a fact (codec/game_facts.hpp), the
/// code of a name (codec/game_codes.hpp), or a swing. 0 means unknown. Facts come first, in the
/// order of codec::FactColumn.
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

/// Returns the fact of a column; empty if the column has no fact.
constexpr std::optional<codec::FactColumn> fact_of(GameColumn column) {
    static_assert(static_cast<int>(GameColumn::kResult) ==
                  static_cast<int>(codec::FactColumn::kResult));
    static_assert(static_cast<int>(GameColumn::kPlies) ==
                  static_cast<int>(codec::FactColumn::kPlies));
    if (column > GameColumn::kPlies) return std::nullopt;
    return static_cast<codec::FactColumn>(column);
}

/// Returns the column of the players who had a colour.
constexpr GameColumn column_of(chess::Color color) {
    return color == chess::Color::kWhite ? GameColumn::kWhite : GameColumn::kBlack;
}

/// Returns the value of kEloSum.
constexpr std::uint32_t elo_sum(std::uint32_t white, std::uint32_t black) {
    return white == 0 || black == 0 ? 0 : white + black;
}

enum class NameKind : std::uint8_t { kPlayer, kEvent, kSite, kTagValue, kOpening, kTagShape };
inline constexpr std::size_t kNameKinds = 6;

}  // namespace fendex::store
