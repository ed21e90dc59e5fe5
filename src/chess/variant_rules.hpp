// The rules in which variants differ, as a table with a row for each variant. Other code tests for
// a rule, never for a variant. Constants; any thread may read them.
#pragma once

#include <array>
#include <string_view>

#include "chess/types.hpp"

namespace fendex::chess {

/// The rule by which a game ends, besides mate and stalemate.
enum class GameEnd : std::uint8_t {
    kNone,
    kThirdCheck,
    kKingOnTheHill,
    kNoPiecesLeft,  // the side without pieces has won
    kBareKing,      // the side with a bare king has won
    kKingExploded,
    kHordeCaptured,
    kRaceOver,  // a king has reached the eighth rank
};

/// The result for the side to move if it has no legal move. kDraw means a draw unless it is mated;
/// the others hold for mate too.
enum class Stalemate : std::uint8_t { kDraw, kWin, kFewerPiecesWin };

struct VariantRules {
    /// The start of a game: the first field of a FEN, and the rooks that may castle.
    std::string_view placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    Bitboard castling = bit(0) | bit(7) | bit(56) | bit(63);
    GameEnd end = GameEnd::kNone;
    Stalemate stalemate = Stalemate::kDraw;
    /// The king can be checked, and a side has at most one. If false, the king is a piece like
    /// others, and pawns may promote to kings.
    bool royal_kings = true;
    bool checks_allowed = true;
    /// A capture must be played if there is one.
    bool must_capture = false;
    /// A captured piece may be dropped by its captor; a promoted pawn becomes a pawn again.
    bool drops = false;
    bool counts_checks = false;
    /// A capture removes the captor and the pieces around it, except pawns.
    bool captures_explode = false;
    /// White has no king and any number of pawns, which may step twice from the first rank too.
    bool white_is_a_horde = false;
    /// Two kings alone are a draw.
    bool bare_kings_draw = false;
    /// Colours can be swapped: what White can do in a position, Black can do in its mirror image.
    bool sides_mirror = true;
};

namespace detail {

constexpr std::array<VariantRules, kVariants> variant_rules() {
    using enum Variant;
    std::array<VariantRules, kVariants> all{};
    const auto of = [&](Variant v) -> VariantRules& { return all[static_cast<unsigned>(v)]; };

    of(kCrazyhouse).drops = true;
    of(kCrazyhouse).bare_kings_draw = true;

    of(kThreeCheck).counts_checks = true;
    of(kThreeCheck).end = GameEnd::kThirdCheck;
    of(kThreeCheck).bare_kings_draw = true;

    of(kKingOfTheHill).end = GameEnd::kKingOnTheHill;

    of(kAtomic).captures_explode = true;
    of(kAtomic).end = GameEnd::kKingExploded;
    of(kAtomic).bare_kings_draw = true;

    // On FICS, Suicide has no castling either.
    for (const Variant v : {kAntichess, kSuicide}) {
        of(v).castling = 0;
        of(v).royal_kings = false;
        of(v).must_capture = true;
        of(v).end = GameEnd::kNoPiecesLeft;
    }
    of(kAntichess).stalemate = Stalemate::kWin;
    of(kSuicide).stalemate = Stalemate::kFewerPiecesWin;

    of(kLosers).must_capture = true;
    of(kLosers).end = GameEnd::kBareKing;
    of(kLosers).stalemate = Stalemate::kWin;

    of(kHorde).placement = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP";
    of(kHorde).castling = bit(56) | bit(63);
    of(kHorde).white_is_a_horde = true;
    of(kHorde).end = GameEnd::kHordeCaptured;
    of(kHorde).sides_mirror = false;

    of(kRacingKings).placement = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ";
    of(kRacingKings).castling = 0;
    of(kRacingKings).checks_allowed = false;
    of(kRacingKings).end = GameEnd::kRaceOver;
    of(kRacingKings).sides_mirror = false;
    return all;
}

inline constexpr std::array<VariantRules, kVariants> kVariantRules = variant_rules();

}  // namespace detail

/// Returns the variant's rules. kOther has those of standard chess, but its games are not replayed.
constexpr const VariantRules& rules_of(Variant v) {
    return detail::kVariantRules[static_cast<unsigned>(v)];
}

/// True if games are played on a chess::Position: standard chess and Chess960.
constexpr bool has_standard_rules(Variant v) {
    return v == Variant::kStandard || v == Variant::kChess960;
}
/// True if games are played on a chess::VariantPosition.
constexpr bool has_variant_rules(Variant v) {
    return !has_standard_rules(v) && v != Variant::kOther;
}
/// Returns whether moves without capture or pawn move lead to a draw by FIDE's fifty-move rule.
/// They do not in variants with drops, where captured pieces come back.
constexpr bool has_fifty_move_rule(Variant v) { return !rules_of(v).drops; }

}  // namespace fendex::chess
