// Reads a packed move on any kind of board (chess::Position, chess::BareBoard): the code of the
// kind of piece, which of the pieces of that kind, and which of the squares it reaches. Do not
// change: on disk (schema/FORMAT.md).
#pragma once

#include <array>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "chess/position.hpp"
#include "codec/bits.hpp"

namespace fendex::codec {

namespace detail {

/// The prefix code of the kind of piece, most frequent first: 00 pawn, 10 knight, 001 bishop, 101
/// rook, 011 queen, 0111 king, 1111 castling or null move (as numbers; the lowest bit is read
/// first).
struct PrefixCode {
    std::uint8_t code;
    std::uint8_t bits;
};
inline constexpr PrefixCode kPieceCodes[7] = {{0, 2}, {2, 2}, {1, 3}, {5, 3},
                                              {3, 3}, {7, 4}, {15, 4}};
inline constexpr unsigned kSpecialMove = 6;
enum Special : unsigned { kCastleShort, kCastleLong, kNullMove };

inline constexpr auto kDecode = [] {
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

template <typename Board>
chess::Bitboard pawn_targets(const Board& p, chess::Square from) {
    const chess::Color us = p.side_to_move();
    const bool white = us == chess::Color::kWhite;
    const chess::Bitboard empty = ~p.occupied();
    chess::Bitboard capturable = p.pieces(~us);
    if (p.en_passant_square() != chess::kNoSquare) capturable |= chess::bit(p.en_passant_square());
    const chess::Bitboard b = chess::bit(from);
    const chess::Bitboard once = (white ? b << 8 : b >> 8) & empty;
    const chess::Bitboard from_start = once & chess::rank_mask(white ? 2 : 5);
    const chess::Bitboard twice = (white ? from_start << 8 : from_start >> 8) & empty;
    return once | twice | (chess::pawn_attacks(us, from) & capturable);
}

template <typename Board>
chess::Bitboard targets(const Board& p, chess::PieceType type, chess::Square from) {
    if (type == chess::PieceType::kPawn) return pawn_targets(p, from);
    return chess::attacks(type, from, p.occupied()) & ~p.pieces(p.side_to_move());
}

/// Returns the n-th square of the set; n < count(set).
inline chess::Square select(chess::Bitboard set, std::uint64_t n) {
#ifdef __BMI2__
    return chess::lowest(_pdep_u64(std::uint64_t{1} << n, set));
#else
    while (n-- > 0) set &= set - 1;
    return chess::lowest(set);
#endif
}

/// Returns the kind of a pawn's move that is not a promotion.
template <typename Board>
chess::MoveKind kind_of_pawn_move(const Board& p, chess::Square from, chess::Square to) {
    if (chess::file_of(to) != chess::file_of(from)) {
        const bool captures = (p.occupied() & chess::bit(to)) != 0;
        return captures ? chess::MoveKind::kNormal : chess::MoveKind::kEnPassant;
    }
    return (from ^ to) == 16 ? chess::MoveKind::kDoublePush : chess::MoveKind::kNormal;
}

}  // namespace detail

/// Reads the next move and the type of the moving piece (the king if it castles). False on
/// corruption: the bits do not stand for a move in this position. A returned move can be played,
/// but damaged bits may give a move that leaves the king in check.
template <typename Board>
[[nodiscard]] bool decode_move(BitReader& bits, const Board& p, chess::Move& out,
                               chess::PieceType& moved) {
    using chess::MoveKind;
    using chess::PieceType;
    const chess::Color us = p.side_to_move();
    // A move takes 17 bits at most: examine them as one word and consume them at the end.
    const std::uint64_t word = bits.peek();
    const auto entry = detail::kDecode[word & 15U];
    unsigned used = entry.bits;
    const auto get = [&](unsigned count) {
        const std::uint64_t value = word >> used & ((std::uint64_t{1} << count) - 1);
        used += count;
        return value;
    };
    if (entry.symbol == detail::kSpecialMove) {
        moved = PieceType::kKing;
        const auto special = static_cast<unsigned>(get(2));
        bits.skip(used);
        if (bits.failed() || special > detail::kNullMove) return false;
        if (special == detail::kNullMove) {
            out = chess::Move::null();
            return true;
        }
        const chess::Square rook =
            chess::rook_to_castle_with(p, us, special == detail::kCastleShort);
        if (rook == chess::kNoSquare) return false;
        out = chess::Move(p.king(us), rook, MoveKind::kCastle);
        return chess::castling_is_free(p, out);
    }

    const auto type = static_cast<PieceType>(entry.symbol);
    moved = type;
    const chess::Bitboard pieces = p.pieces(us, type);
    const unsigned piece_count = chess::count(pieces);
    const std::uint64_t which = get(bits_for(piece_count));
    if (which >= piece_count) return false;
    const chess::Square from = detail::select(pieces, which);
    const chess::Bitboard reached = detail::targets(p, type, from);
    const unsigned reached_count = chess::count(reached);
    const std::uint64_t where = get(bits_for(reached_count));
    if (where >= reached_count) return false;
    const chess::Square to = detail::select(reached, where);
    if (to == p.king(~us)) return false;

    MoveKind kind = MoveKind::kNormal;
    if (type == PieceType::kPawn) {
        const bool promotes = chess::rank_of(to) == chess::back_rank(~us);
        kind = promotes ? static_cast<MoveKind>(chess::index(MoveKind::kPromoteKnight) + get(2))
                        : detail::kind_of_pawn_move(p, from, to);
    }
    bits.skip(used);
    if (bits.failed()) return false;
    out = chess::Move(from, to, kind);
    return true;
}

}  // namespace fendex::codec
