// A chess position: placement, side to move, castling rights, en passant square, clocks, and its
// Zobrist key, which play() keeps up to date. A value of some 200 bytes: copy it freely; distinct
// positions may be used from distinct threads.
#pragma once

#include <cassert>
#include <cstring>

#include "chess/attacks.hpp"
#include "chess/types.hpp"
#include "chess/zobrist.hpp"

namespace fendex::chess {

/// The contents of a FEN, not yet checked to make sense (see fen.hpp).
struct Setup {
    Piece board[64];
    Color side = Color::kWhite;
    Bitboard castling = 0;  // squares of the rooks that may castle
    Square en_passant = kNoSquare;
    unsigned halfmove = 0;
    unsigned fullmove = 1;

    Setup() {
        for (Piece& p : board) p = Piece::kNone;
    }
};

class Position {
  public:
    /// The standard starting position.
    Position();
    /// The setup must be one that parse_fen() of fen.hpp would accept.
    explicit Position(const Setup& setup);

    Color side_to_move() const { return side_; }
    Bitboard occupied() const { return color_[0] | color_[1]; }
    Bitboard pieces(Color c) const { return color_[index(c)]; }
    Bitboard pieces(PieceType t) const { return type_[index(t)]; }
    Bitboard pieces(Color c, PieceType t) const { return color_[index(c)] & type_[index(t)]; }
    Piece piece_on(Square s) const { return board_[s]; }
    Square king(Color c) const { return lowest(pieces(c, PieceType::kKing)); }
    /// Squares of the rooks that may castle, both sides'.
    Bitboard castling_rooks() const { return castling_; }
    /// The rook that may castle on that side; kNoSquare if there is no such right.
    Square castling_rook(Color c, bool short_side) const;
    /// The square behind a pawn that has just made a double step, even if no pawn can capture
    /// there; else kNoSquare.
    Square en_passant_square() const { return en_passant_; }
    /// Returns whether an en passant capture is legal. Only then is the square part of the
    /// identity.
    bool en_passant_is_legal() const { return en_passant_key_ != 0; }
    /// Forgets the en passant square unless a capture there is legal. The position stays the same
    /// by FIDE 9.2.
    void drop_idle_en_passant() {
        if (!en_passant_is_legal()) en_passant_ = kNoSquare;
    }
    unsigned halfmove_clock() const { return halfmove_; }
    unsigned fullmove_number() const { return fullmove_; }
    std::uint64_t key() const { return key_; }
    /// Computes the key from all other members; key() must return the same.
    std::uint64_t computed_key() const;

    /// Returns the pieces of colour `by` that attack `s` if these squares are occupied.
    Bitboard attackers(Square s, Color by, Bitboard occupied) const;
    /// Always false: unlike variants, standard chess has no rule of its own that ends a game.
    static constexpr bool is_over() { return false; }
    bool in_check() const { return !king_is_safe(king(side_), occupied(), pieces(~side_)); }
    /// Returns whether a pseudo-legal move leaves its own king safe. For castling it checks
    /// everything except the right itself.
    bool is_legal(Move m) const;
    /// Plays a legal move (or the null move). Debug builds check the key against computed_key().
    void play(Move m);

    /// Returns whether the positions are the same by FIDE 9.2: placement, side, castling rights,
    /// and en passant if the capture is legal.
    bool same_as(const Position& other) const {
        return std::memcmp(board_, other.board_, sizeof board_) == 0 && side_ == other.side_ &&
               castling_ == other.castling_ && en_passant_key_ == other.en_passant_key_;
    }

  private:
    void put(Piece p, Square s) {
        board_[s] = p;
        color_[index(color_of(p))] |= bit(s);
        type_[index(type_of(p))] |= bit(s);
        key_ ^= zobrist::piece(p, s);
    }
    void remove(Piece p, Square s) {
        board_[s] = Piece::kNone;
        color_[index(color_of(p))] ^= bit(s);
        type_[index(type_of(p))] ^= bit(s);
        key_ ^= zobrist::piece(p, s);
    }
    void slide(Piece p, Square from, Square to) {
        const Bitboard both = bit(from) | bit(to);
        board_[from] = Piece::kNone;
        board_[to] = p;
        color_[index(color_of(p))] ^= both;
        type_[index(type_of(p))] ^= both;
        key_ ^= zobrist::piece(p, from) ^ zobrist::piece(p, to);
    }
    bool king_is_safe(Square king, Bitboard occupied, Bitboard enemies) const;
    bool castling_is_legal(Move m) const;
    bool has_legal_en_passant(Square s) const;
    void make(Move m);
    void castle(Color us, Square from, Square to);
    std::uint64_t castling_key() const;
    void set_castling(Bitboard rooks);
    void note_double_push(Square to);

    Bitboard color_[2]{};
    Bitboard type_[6]{};
    Piece board_[64];
    Bitboard castling_ = 0;
    std::uint64_t castling_key_ = 0;
    std::uint64_t en_passant_key_ = 0;
    std::uint64_t key_ = 0;
    Square en_passant_ = kNoSquare;
    unsigned halfmove_ = 0;
    unsigned fullmove_ = 1;
    Color side_ = Color::kWhite;
};

/// The squares of king and rook after castling with a rook on that side of the king.
constexpr Square castled_king(Color c, bool short_side) {
    return make_square(short_side ? 6 : 2, back_rank(c));
}
constexpr Square castled_rook(Color c, bool short_side) {
    return make_square(short_side ? 5 : 3, back_rank(c));
}

// The following functions take a Position or another board.

/// The rook that may castle on that side; kNoSquare if there is no such right.
template <typename Board>
Square rook_to_castle_with(const Board& board, Color c, bool short_side) {
    const Bitboard rooks = board.castling_rooks() & rank_mask(back_rank(c));
    if (rooks == 0) return kNoSquare;
    const Square candidate = short_side ? highest(rooks) : lowest(rooks);
    return (candidate > board.king(c)) == short_side ? candidate : kNoSquare;
}

/// Returns whether no piece stands in the way (FIDE 3.8.2). In Chess960 the king and the rook do
/// not count.
template <typename Board>
bool castling_is_free(const Board& board, Move m) {
    const bool short_side = m.to() > m.from();
    const Square king_to = castled_king(board.side_to_move(), short_side);
    const Square rook_to = castled_rook(board.side_to_move(), short_side);
    const Bitboard others = board.occupied() & ~bit(m.from()) & ~bit(m.to());
    return (others & (between(m.from(), king_to) | bit(king_to) | between(m.to(), rook_to) |
                      bit(rook_to))) == 0;
}

inline bool Position::king_is_safe(Square king, Bitboard occupied, Bitboard enemies) const {
    // First the sliders with an open line to the king. Few pieces stand on its lines, so it is
    // cheaper to test each for a piece in between than to compute two sliding attack sets.
    const Bitboard queens = type_[index(PieceType::kQueen)];
    Bitboard snipers =
        enemies & ((rook_rays(king) & (type_[index(PieceType::kRook)] | queens)) |
                   (bishop_rays(king) & (type_[index(PieceType::kBishop)] | queens)));
    while (snipers != 0) {
        if ((between(king, pop_lowest(snipers)) & occupied) == 0) return false;
    }
    const Color us = side_;
    return (enemies & ((knight_attacks(king) & type_[index(PieceType::kKnight)]) |
                       (pawn_attacks(us, king) & type_[index(PieceType::kPawn)]) |
                       (king_attacks(king) & type_[index(PieceType::kKing)]))) == 0;
}

inline bool Position::is_legal(Move m) const {
    const Bitboard enemies = pieces(~side_);
    switch (m.kind()) {
        case MoveKind::kCastle: return castling_is_legal(m);
        case MoveKind::kNull: return !in_check();
        case MoveKind::kEnPassant: {
            const Bitboard captured = bit(m.to() ^ 8U);
            const Bitboard after = (occupied() ^ bit(m.from()) ^ captured) | bit(m.to());
            return king_is_safe(king(side_), after, enemies ^ captured);
        }
        default: break;
    }
    const Bitboard after = (occupied() ^ bit(m.from())) | bit(m.to());
    const Square our_king =
        board_[m.from()] == make_piece(side_, PieceType::kKing) ? m.to() : king(side_);
    return king_is_safe(our_king, after, enemies & ~bit(m.to()));
}

inline void Position::set_castling(Bitboard rooks) {
    castling_ = rooks;
    key_ ^= castling_key_;
    castling_key_ = castling_key();
    key_ ^= castling_key_;
}

inline void Position::play(Move m) {
    make(m);
    assert(key_ == computed_key());
}

inline void Position::castle(Color us, Square from, Square to) {
    const bool short_side = to > from;
    const Piece king = make_piece(us, PieceType::kKing);
    const Piece rook = make_piece(us, PieceType::kRook);
    // Remove both before placing either: in Chess960 each may land where the other stood.
    remove(king, from);
    remove(rook, to);
    put(king, castled_king(us, short_side));
    put(rook, castled_rook(us, short_side));
    set_castling(castling_ & ~rank_mask(back_rank(us)));
}

inline void Position::make(Move m) {
    const Color us = side_;
    const Color them = ~us;
    const Square from = m.from();
    const Square to = m.to();

    side_ = them;
    key_ ^= zobrist::white_to_move() ^ en_passant_key_;
    en_passant_key_ = 0;
    en_passant_ = kNoSquare;
    ++halfmove_;
    fullmove_ += us == Color::kBlack ? 1U : 0U;

    switch (m.kind()) {
        case MoveKind::kNull: return;
        case MoveKind::kCastle: return castle(us, from, to);
        case MoveKind::kEnPassant:
            remove(make_piece(them, PieceType::kPawn), to ^ 8U);
            slide(make_piece(us, PieceType::kPawn), from, to);
            halfmove_ = 0;
            return;
        case MoveKind::kDoublePush:
            slide(make_piece(us, PieceType::kPawn), from, to);
            halfmove_ = 0;
            note_double_push(to);
            return;
        default: break;
    }

    const Piece moved = board_[from];
    if (board_[to] != Piece::kNone) {
        remove(board_[to], to);
        halfmove_ = 0;
    }
    slide(moved, from, to);
    if (type_of(moved) == PieceType::kPawn) {
        halfmove_ = 0;
        if (m.is_promotion()) {
            remove(moved, to);
            put(make_piece(us, m.promotion()), to);
        }
    }
    if (castling_ != 0) {
        Bitboard rooks = castling_ & ~(bit(from) | bit(to));
        if (type_of(moved) == PieceType::kKing) rooks &= ~rank_mask(back_rank(us));
        // A rook that comes to or leaves the back rank can change which rook is outermost there.
        constexpr Bitboard kCorners = 0x8100000000000081ULL;
        if (rooks != castling_ || (rooks & ~kCorners) != 0) set_castling(rooks);
    }
}

inline void Position::note_double_push(Square to) {
    en_passant_ = to ^ 8U;
    // This cheap test comes first, because most double steps do not land beside an enemy pawn.
    if ((pawn_attacks(~side_, en_passant_) & pieces(side_, PieceType::kPawn)) != 0 &&
        has_legal_en_passant(en_passant_)) {
        en_passant_key_ = zobrist::en_passant(file_of(to));
        key_ ^= en_passant_key_;
    }
}

}  // namespace fendex::chess
