#include "chess/variant_movegen.hpp"

#include <algorithm>

namespace fendex::chess {

namespace {

/// Generates moves that obey the pieces' and the variant's rules, except must_capture.
class Generator {
  public:
    Generator(const VariantPosition& position, std::vector<Move>& out)
        : p_(position), us_(position.side_to_move()), out_(out) {}

    void run() {
        for (unsigned t = index(PieceType::kKnight); t <= index(PieceType::kKing); ++t) {
            const auto type = static_cast<PieceType>(t);
            for (Bitboard from = p_.pieces(us_, type); from != 0;)
                pieces_from(type, pop_lowest(from));
        }
        for (Bitboard from = p_.pieces(us_, PieceType::kPawn); from != 0;) {
            pawn_from(pop_lowest(from));
        }
        castling();
        drops();
    }

  private:
    void offer(Move m) {
        if (p_.is_legal(m)) out_.push_back(m);
    }

    void pieces_from(PieceType type, Square s) {
        Bitboard to = attacks(type, s, p_.occupied()) & ~p_.pieces(us_);
        // A king that captures would explode.
        if (p_.rules().captures_explode && type == PieceType::kKing) to &= ~p_.occupied();
        while (to != 0) offer(Move(s, pop_lowest(to)));
    }

    void pawn_to(Square from, Square to) {
        if (rank_of(to) != back_rank(~us_)) return offer(Move(from, to));
        for (unsigned k = index(MoveKind::kPromoteKnight); k <= index(MoveKind::kPromoteQueen);
             ++k) {
            offer(Move(from, to, static_cast<MoveKind>(k)));
        }
        if (!p_.rules().royal_kings) offer(Move(from, to, MoveKind::kPromoteKing));
    }

    void pawn_from(Square s) {
        const bool white = us_ == Color::kWhite;
        const Square ahead = white ? s + 8 : s - 8;
        if ((p_.occupied() & bit(ahead)) == 0) {
            pawn_to(s, ahead);
            const unsigned rank = white ? rank_of(s) : 7 - rank_of(s);
            const bool steps_twice = rank == 1 || (rank == 0 && p_.rules().white_is_a_horde);
            const Square twice = white ? s + 16 : s - 16;
            if (steps_twice && (p_.occupied() & bit(twice)) == 0) {
                offer(Move(s, twice, MoveKind::kDoublePush));
            }
        }
        for (Bitboard to = pawn_attacks(us_, s) & p_.pieces(~us_); to != 0;) {
            pawn_to(s, pop_lowest(to));
        }
        const Square behind = p_.en_passant_square();
        if (behind != kNoSquare && (pawn_attacks(us_, s) & bit(behind)) != 0) {
            offer(Move(s, behind, MoveKind::kEnPassant));
        }
    }

    void castling() {
        if (p_.castling_rooks() == 0) return;
        for (const bool short_side : {true, false}) {
            const Square rook = rook_to_castle_with(p_, us_, short_side);
            if (rook != kNoSquare) offer(Move(p_.king(us_), rook, MoveKind::kCastle));
        }
    }

    void drops() {
        for (unsigned t = index(PieceType::kPawn); t < index(PieceType::kKing); ++t) {
            const auto type = static_cast<PieceType>(t);
            if (p_.pocket(us_, type) == 0) continue;
            Bitboard to = ~p_.occupied();
            if (type == PieceType::kPawn) to &= ~(rank_mask(0) | rank_mask(7));
            while (to != 0) offer(Move(t, pop_lowest(to), MoveKind::kDrop));
        }
    }

    const VariantPosition& p_;
    Color us_;
    std::vector<Move>& out_;
};

bool is_capture(const VariantPosition& p, Move m) {
    if (m.kind() == MoveKind::kEnPassant) return true;
    return m.kind() != MoveKind::kCastle && m.kind() != MoveKind::kDrop &&
           p.piece_on(m.to()) != Piece::kNone;
}

}  // namespace

std::vector<Move> legal_moves(const VariantPosition& position) {
    std::vector<Move> moves;
    if (position.is_over()) return moves;
    Generator(position, moves).run();
    if (position.rules().must_capture) {
        const auto captures = [&](Move m) { return is_capture(position, m); };
        if (std::ranges::any_of(moves, captures)) {
            std::erase_if(moves, [&](Move m) { return !captures(m); });
        }
    }
    std::ranges::sort(moves, {}, &Move::bits);
    return moves;
}

bool has_legal_move(const VariantPosition& position) { return !legal_moves(position).empty(); }

std::uint64_t perft(const VariantPosition& position, unsigned depth) {
    if (depth == 0) return 1;
    const std::vector<Move> moves = legal_moves(position);
    if (depth == 1) return moves.size();
    std::uint64_t nodes = 0;
    for (const Move m : moves) {
        VariantPosition next = position;
        next.play(m);
        nodes += perft(next, depth - 1);
    }
    return nodes;
}

}  // namespace fendex::chess
