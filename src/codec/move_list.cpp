#include "codec/move_list.hpp"

namespace fendex::codec {

using chess::Bitboard;
using chess::Color;
using chess::Move;
using chess::MoveKind;
using chess::PieceType;
using chess::Position;
using chess::Square;

namespace {

/// The prefix code of what moves, most frequent first: 00 pawn, 10 knight, 001 bishop, 101 rook,
/// 011 queen, 0111 king, 1111 castling or null move (as numbers, lowest bit read first).
struct PrefixCode {
    std::uint8_t code;
    std::uint8_t bits;
};
constexpr PrefixCode kPieceCodes[7] = {{0, 2}, {2, 2}, {1, 3}, {5, 3}, {3, 3}, {7, 4}, {15, 4}};
constexpr unsigned kSpecial = 6;

constexpr auto kDecode = [] {
    struct Entry {
        std::uint8_t symbol;
        std::uint8_t bits;
    };
    std::array<Entry, 16> table{};
    for (unsigned peeked = 0; peeked < 16; ++peeked) {
        for (std::uint8_t symbol = 0; symbol < 7; ++symbol) {
            const PrefixCode code = kPieceCodes[symbol];
            if ((peeked & ((1U << code.bits) - 1)) == code.code) {
                table[peeked] = {symbol, code.bits};
            }
        }
    }
    return table;
}();

enum Special : unsigned { kCastleShort, kCastleLong, kNullMove };

Bitboard pawn_targets(const Position& p, Square from) {
    const Color us = p.side_to_move();
    const bool white = us == Color::kWhite;
    const Bitboard empty = ~p.occupied();
    Bitboard capturable = p.pieces(~us);
    if (p.en_passant_square() != chess::kNoSquare) capturable |= chess::bit(p.en_passant_square());
    const Bitboard b = chess::bit(from);
    const Bitboard once = (white ? b << 8 : b >> 8) & empty;
    const Bitboard from_start = once & chess::rank_mask(white ? 2 : 5);
    const Bitboard twice = (white ? from_start << 8 : from_start >> 8) & empty;
    return once | twice | (chess::pawn_attacks(us, from) & capturable);
}

Bitboard targets(const Position& p, PieceType type, Square from) {
    if (type == PieceType::kPawn) return pawn_targets(p, from);
    return chess::attacks(type, from, p.occupied()) & ~p.pieces(p.side_to_move());
}

/// Which of the set's squares `s` is, in square order.
unsigned rank_in(Bitboard set, Square s) { return chess::count(set & (chess::bit(s) - 1)); }

/// The n-th square of the set; n < count(set).
Square select(Bitboard set, std::uint64_t n) {
    while (n-- > 0) set &= set - 1;
    return chess::lowest(set);
}

}  // namespace

void encode_move(const Position& p, Move m, BitWriter& out) {
    if (m.kind() == MoveKind::kNull || m.kind() == MoveKind::kCastle) {
        const Special special = m.kind() == MoveKind::kNull ? kNullMove
                                : m.to() > m.from()         ? kCastleShort
                                                            : kCastleLong;
        out.put(kPieceCodes[kSpecial].code, kPieceCodes[kSpecial].bits);
        out.put(special, 2);
        return;
    }
    const PieceType type = chess::type_of(p.piece_on(m.from()));
    const PrefixCode code = kPieceCodes[chess::index(type)];
    out.put(code.code, code.bits);
    const Bitboard pieces = p.pieces(p.side_to_move(), type);
    out.put(rank_in(pieces, m.from()), bits_for(chess::count(pieces)));
    const Bitboard reached = targets(p, type, m.from());
    out.put(rank_in(reached, m.to()), bits_for(chess::count(reached)));
    if (m.is_promotion()) {
        out.put(chess::index(m.promotion()) - chess::index(PieceType::kKnight), 2);
    }
}

bool MoveListReader::next(const Position& p, Move& out) {
    const Color us = p.side_to_move();
    const auto entry = kDecode[bits_.peek4()];
    bits_.get(entry.bits);
    if (entry.symbol == kSpecial) {
        const auto special = static_cast<unsigned>(bits_.get(2));
        if (bits_.failed() || special > kNullMove) return false;
        if (special == kNullMove) {
            out = Move::null();
            return true;
        }
        const Square rook = p.castling_rook(us, special == kCastleShort);
        if (rook == chess::kNoSquare) return false;
        out = Move(p.king(us), rook, MoveKind::kCastle);
        return p.is_legal(out);
    }

    const auto type = static_cast<PieceType>(entry.symbol);
    const Bitboard pieces = p.pieces(us, type);
    const unsigned piece_count = chess::count(pieces);
    const std::uint64_t which = bits_.get(bits_for(piece_count));
    if (which >= piece_count) return false;
    const Square from = select(pieces, which);
    const Bitboard reached = targets(p, type, from);
    const unsigned reached_count = chess::count(reached);
    const std::uint64_t where = bits_.get(bits_for(reached_count));
    if (where >= reached_count) return false;
    const Square to = select(reached, where);
    if (to == p.king(~us)) return false;

    MoveKind kind = MoveKind::kNormal;
    if (type == PieceType::kPawn) {
        if (chess::rank_of(to) == chess::back_rank(~us)) {
            kind = static_cast<MoveKind>(chess::index(MoveKind::kPromoteKnight) + bits_.get(2));
        } else if (chess::file_of(to) != chess::file_of(from)) {
            if (p.piece_on(to) == chess::Piece::kNone) kind = MoveKind::kEnPassant;
        } else if ((from ^ to) == 16) {
            kind = MoveKind::kDoublePush;
        }
    }
    if (bits_.failed()) return false;
    out = Move(from, to, kind);
    return true;
}

}  // namespace fendex::codec
