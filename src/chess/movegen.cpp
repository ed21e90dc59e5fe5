#include "chess/movegen.hpp"

namespace fendex::chess {

namespace {

/// Calls take(Move) for every legal move until it returns false.
template <typename Take>
void for_each_legal(const Position& p, Take take) {
    const Color us = p.side_to_move();
    const Bitboard own = p.pieces(us);
    const Bitboard enemies = p.pieces(~us);
    const Bitboard occupied = p.occupied();
    bool more = true;
    const auto offer = [&](Move m) {
        if (more && p.is_legal(m)) more = take(m);
    };

    // The king moves first: it can answer most checks, so that has_legal_move() returns early.
    for (unsigned t = index(PieceType::kKing); t >= index(PieceType::kKnight) && more; --t) {
        const auto type = static_cast<PieceType>(t);
        for (Bitboard from = p.pieces(us, type); from != 0;) {
            const Square s = pop_lowest(from);
            for (Bitboard to = attacks(type, s, occupied) & ~own; to != 0;) {
                offer(Move(s, pop_lowest(to)));
            }
        }
    }

    const auto offer_pawn = [&](Square from, Square to) {
        if (rank_of(to) == back_rank(~us)) {
            for (unsigned k = index(MoveKind::kPromoteKnight); k <= index(MoveKind::kPromoteQueen);
                 ++k) {
                offer(Move(from, to, static_cast<MoveKind>(k)));
            }
        } else {
            offer(Move(from, to));
        }
    };
    const unsigned start_rank = us == Color::kWhite ? 1 : 6;
    for (Bitboard from = p.pieces(us, PieceType::kPawn); from != 0 && more;) {
        const Square s = pop_lowest(from);
        const Square ahead = us == Color::kWhite ? s + 8 : s - 8;
        if ((occupied & bit(ahead)) == 0) {
            offer_pawn(s, ahead);
            const Square twice = us == Color::kWhite ? s + 16 : s - 16;
            if (rank_of(s) == start_rank && (occupied & bit(twice)) == 0) {
                offer(Move(s, twice, MoveKind::kDoublePush));
            }
        }
        for (Bitboard to = pawn_attacks(us, s) & enemies; to != 0;) offer_pawn(s, pop_lowest(to));
        const Square behind = p.en_passant_square();
        if (behind != kNoSquare && (pawn_attacks(us, s) & bit(behind)) != 0) {
            offer(Move(s, behind, MoveKind::kEnPassant));
        }
    }

    for (const bool short_side : {true, false}) {
        const Square rook = p.castling_rook(us, short_side);
        if (rook != kNoSquare) offer(Move(p.king(us), rook, MoveKind::kCastle));
    }
}

}  // namespace

void legal_moves(const Position& position, MoveList& out) {
    for_each_legal(position, [&](Move m) {
        out.add(m);
        return true;
    });
}

bool has_legal_move(const Position& position) {
    bool found = false;
    for_each_legal(position, [&](Move) {
        found = true;
        return false;
    });
    return found;
}

std::uint64_t perft(const Position& position, unsigned depth) {
    if (depth == 0) return 1;
    std::uint64_t nodes = 0;
    for_each_legal(position, [&](Move m) {
        if (depth == 1) {
            ++nodes;
        } else {
            Position next = position;
            next.play(m);
            nodes += perft(next, depth - 1);
        }
        return true;
    });
    return nodes;
}

}  // namespace fendex::chess
