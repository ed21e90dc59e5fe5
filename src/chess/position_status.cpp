#include "chess/position_status.hpp"

#include "chess/movegen.hpp"
#include "chess/variant_movegen.hpp"
#include "chess/variant_names.hpp"

namespace fendex::chess {

namespace {

constexpr unsigned kFiftyMoves = 100;  // plies
constexpr unsigned kSeventyFiveMoves = 150;

constexpr std::string_view kDraw = "1/2-1/2";

constexpr std::string_view win_of(Color c) { return c == Color::kWhite ? "1-0" : "0-1"; }

/// The squares of a1's colour.
constexpr Bitboard kDark = 0xAA55'AA55'AA55'AA55;

bool is_dead(const Position& p) {
    const Bitboard bishops = p.pieces(PieceType::kBishop);
    const Bitboard knights = p.pieces(PieceType::kKnight);
    if ((bishops | knights | p.pieces(PieceType::kKing)) != p.occupied()) return false;
    if (knights != 0) return bishops == 0 && count(knights) == 1;
    return (bishops & kDark) == 0 || (bishops & ~kDark) == 0;
}

/// In variants without bare_kings_draw no position is dead, because a bare king can still win or
/// lose.
bool is_dead(const VariantPosition& p) {
    if (!p.rules().bare_kings_draw) return false;
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        for (unsigned t = 0; t < index(PieceType::kKing); ++t) {
            if (p.pocket(c, static_cast<PieceType>(t)) != 0) return false;
        }
    }
    return p.pieces(PieceType::kKing) == p.occupied();
}

template <Board B>
PositionStatus status_with(const B& p, Variant variant, std::size_t legal_moves) {
    PositionStatus status;
    status.legal_moves = legal_moves;
    status.check = p.in_check();
    // If there are no moves the game is over already: mate takes precedence over the clock.
    const bool clock_counts = legal_moves != 0 && has_fifty_move_rule(variant);
    const unsigned quiet_plies = clock_counts ? p.halfmove_clock() : 0;
    status.fifty_moves = quiet_plies >= kFiftyMoves;
    status.seventy_five_moves = quiet_plies >= kSeventyFiveMoves;
    status.insufficient_material = is_dead(p);
    const bool mate = legal_moves == 0 && status.check;
    if (legal_moves != 0) {
        const bool drawn = status.insufficient_material || status.seventy_five_moves;
        status.result = drawn ? kDraw : "*";
        status.name = status.insufficient_material ? "insufficient material"
                      : drawn                      ? "seventy-five moves"
                      : status.check               ? "check"
                                                   : "ongoing";
    } else {
        status.name = mate ? "checkmate" : "stalemate";
        status.result = mate ? win_of(~p.side_to_move()) : kDraw;
    }
    return status;
}

bool has_king_on(const VariantPosition& p, Color c, Bitboard squares) {
    return (p.pieces(c, PieceType::kKing) & squares) != 0;
}

struct End {
    std::string_view name;
    std::string_view result;
};

/// Returns how a game has ended by its variant's own rule. If both sides meet the rule, Racing
/// Kings is a draw. In other variants no game leads to that, and the side that has just moved is
/// said to have won.
End end_of(const VariantPosition& p) {
    const Color mover = ~p.side_to_move();
    const auto won_by_whom = [&](auto has_won) { return win_of(has_won(mover) ? mover : ~mover); };
    const auto bare = [&](Color c) { return p.pieces(c) == p.pieces(c, PieceType::kKing); };
    switch (p.rules().end) {
        case GameEnd::kThirdCheck:
            return {"third check",
                    won_by_whom([&](Color c) { return p.checks_given(c) >= kChecksToWin; })};
        case GameEnd::kKingOnTheHill:
            return {"king on the hill",
                    won_by_whom([&](Color c) { return has_king_on(p, c, kHill); })};
        case GameEnd::kNoPiecesLeft:
            return {"no pieces left", won_by_whom([&](Color c) { return p.pieces(c) == 0; })};
        case GameEnd::kBareKing: return {"bare king", won_by_whom(bare)};
        case GameEnd::kKingExploded:
            return {"king exploded", won_by_whom([&](Color c) { return p.king(~c) == kNoSquare; })};
        case GameEnd::kHordeCaptured: return {"horde captured", win_of(Color::kBlack)};
        case GameEnd::kRaceOver:
        case GameEnd::kNone: break;
    }
    const bool white = has_king_on(p, Color::kWhite, rank_mask(7));
    const bool black = has_king_on(p, Color::kBlack, rank_mask(7));
    return {"race over", white && black ? kDraw : win_of(white ? Color::kWhite : Color::kBlack)};
}

/// Returns the result if the side to move has no legal move and no rule of the variant has ended
/// the game. `usual` is the result in standard chess.
std::string_view result_without_moves(const VariantPosition& p, std::string_view usual) {
    const Color us = p.side_to_move();
    switch (p.rules().stalemate) {
        case Stalemate::kDraw: return usual;
        case Stalemate::kWin: return win_of(us);
        case Stalemate::kFewerPiecesWin: {
            const unsigned ours = count(p.pieces(us));
            const unsigned theirs = count(p.pieces(~us));
            return ours == theirs ? kDraw : win_of(ours < theirs ? us : ~us);
        }
    }
    return usual;
}

}  // namespace

PositionStatus status_of(const Position& position) {
    const MoveList moves = legal_moves(position);
    return status_with(position, Variant::kStandard, moves.size());
}

PositionStatus status_of(const VariantPosition& position) {
    PositionStatus status = status_with(position, position.variant(), legal_moves(position).size());
    if (position.is_over()) {
        const End end = end_of(position);
        status.name = end.name;
        status.result = end.result;
        status.insufficient_material = false;
    } else if (status.legal_moves == 0) {
        status.result = result_without_moves(position, status.result);
    }
    return status;
}

}  // namespace fendex::chess
