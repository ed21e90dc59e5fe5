#include "chess/position.hpp"

#include <bit>
#include <cstring>

namespace fendex::chess {

namespace {

Setup starting_setup() {
    Setup setup;
    constexpr PieceType kOrder[8] = {PieceType::kRook,   PieceType::kKnight, PieceType::kBishop,
                                     PieceType::kQueen,  PieceType::kKing,   PieceType::kBishop,
                                     PieceType::kKnight, PieceType::kRook};
    for (unsigned file = 0; file < 8; ++file) {
        setup.board[make_square(file, 0)] = make_piece(Color::kWhite, kOrder[file]);
        setup.board[make_square(file, 1)] = make_piece(Color::kWhite, PieceType::kPawn);
        setup.board[make_square(file, 6)] = make_piece(Color::kBlack, PieceType::kPawn);
        setup.board[make_square(file, 7)] = make_piece(Color::kBlack, kOrder[file]);
    }
    setup.castling = bit(0) | bit(7) | bit(56) | bit(63);
    return setup;
}

/// Returns the squares that have a piece, eight squares at a time.
Bitboard occupied_of(const Piece (&board)[64]) {
    constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;
    constexpr std::uint64_t kHighest = 0x80 * kEach;
    Bitboard occupied = 0;
    for (unsigned rank = 0; rank < 8; ++rank) {
        std::uint64_t pieces = 0;
        std::memcpy(&pieces, board + make_square(0, rank), sizeof pieces);
        if constexpr (std::endian::native == std::endian::big) pieces = __builtin_bswap64(pieces);
        // The highest bit of each byte that is not kNone.
        pieces ^= index(Piece::kNone) * kEach;
        pieces = (pieces + 0x7F * kEach) & kHighest;
        // The factor moves all of them to the last byte.
        occupied |= (pieces >> 7) * 0x0102'0408'1020'4080 >> 56 << (8 * rank);
    }
    return occupied;
}

}  // namespace

Position::Position() {
    static const Position start(starting_setup());
    *this = start;
}

Position::Position(const Setup& setup) {
    std::memcpy(board_, setup.board, sizeof board_);
    for (Bitboard occupied = occupied_of(board_); occupied != 0;) {
        const Square s = pop_lowest(occupied);
        put(board_[s], s);
    }
    side_ = setup.side;
    if (side_ == Color::kWhite) key_ ^= zobrist::white_to_move();
    set_castling(setup.castling);
    if (setup.en_passant != kNoSquare) note_double_push(setup.en_passant ^ 8U);
    halfmove_ = setup.halfmove;
    fullmove_ = setup.fullmove;
}

Square Position::castling_rook(Color c, bool short_side) const {
    return rook_to_castle_with(*this, c, short_side);
}

std::uint64_t Position::castling_key() const {
    std::uint64_t key = 0;
    for (Bitboard rooks = castling_; rooks != 0;) {
        const Square rook = pop_lowest(rooks);
        const Color c = rank_of(rook) == 0 ? Color::kWhite : Color::kBlack;
        const bool short_side = rook > king(c);
        const Bitboard own = pieces(c, PieceType::kRook) & rank_mask(back_rank(c));
        const Square outermost = short_side ? highest(own) : lowest(own);
        key ^= rook == outermost ? zobrist::castling(c, short_side) : zobrist::inner_castling(rook);
    }
    return key;
}

std::uint64_t Position::computed_key() const {
    std::uint64_t key = castling_key();
    for (Square s = 0; s < 64; ++s) {
        if (board_[s] != Piece::kNone) key ^= zobrist::piece(board_[s], s);
    }
    if (side_ == Color::kWhite) key ^= zobrist::white_to_move();
    if (en_passant_ != kNoSquare && has_legal_en_passant(en_passant_)) {
        key ^= zobrist::en_passant(file_of(en_passant_));
    }
    return key;
}

Bitboard Position::attackers(Square s, Color by, Bitboard occupied) const {
    const Bitboard queens = pieces(PieceType::kQueen);
    return pieces(by) & ((knight_attacks(s) & pieces(PieceType::kKnight)) |
                         (king_attacks(s) & pieces(PieceType::kKing)) |
                         (pawn_attacks(~by, s) & pieces(PieceType::kPawn)) |
                         (bishop_attacks(s, occupied) & (pieces(PieceType::kBishop) | queens)) |
                         (rook_attacks(s, occupied) & (pieces(PieceType::kRook) | queens)));
}

bool Position::castling_is_legal(Move m) const {
    if (!castling_is_free(*this, m)) return false;
    // The rook is off the board here: in Chess960 it may have been a shield.
    const Bitboard others = occupied() & ~bit(m.from()) & ~bit(m.to());
    const Square king_to = castled_king(side_, m.to() > m.from());
    for (Bitboard path = between(m.from(), king_to) | bit(king_to) | bit(m.from()); path != 0;) {
        if (attackers(pop_lowest(path), ~side_, others) != 0) return false;
    }
    // The king must not be in check before castling, when the rook is still on the board. The loop
    // above implies this, because removing the rook can only add attackers.
    return true;
}

bool Position::has_legal_en_passant(Square s) const {
    for (Bitboard from = pawn_attacks(~side_, s) & pieces(side_, PieceType::kPawn); from != 0;) {
        if (is_legal(Move(pop_lowest(from), s, MoveKind::kEnPassant))) return true;
    }
    return false;
}

}  // namespace fendex::chess
