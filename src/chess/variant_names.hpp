// What variants are called: the one name that is written, and the spellings of PGN files and
// servers that are read. Pure functions.
#pragma once

#include <span>
#include <string_view>

#include "chess/types.hpp"

namespace fendex::chess {

/// The variant that a Variant tag or a word of the command line names, in any usual spelling: case,
/// blanks and punctuation of ASCII do not matter. kOther for one that is not known here.
Variant variant_of(std::string_view text);

/// The variant's name as it is written: "crazyhouse". "other" for kOther.
std::string_view name_of(Variant variant);

/// All that have rules here, in the order of their numbers.
std::span<const Variant> known_variants();

/// Played on a chess::Position: standard chess and Chess960.
constexpr bool has_standard_rules(Variant v) {
    return v == Variant::kStandard || v == Variant::kChess960;
}
/// Played on a chess::VariantPosition.
constexpr bool has_variant_rules(Variant v) {
    return !has_standard_rules(v) && v != Variant::kOther;
}
/// Whether moves without capture and pawn move make a draw there, as FIDE's fifty-move rule has it.
/// In Crazyhouse a game comes to no end so: its pieces come back.
constexpr bool has_fifty_move_rule(Variant v) { return v != Variant::kCrazyhouse; }

}  // namespace fendex::chess
