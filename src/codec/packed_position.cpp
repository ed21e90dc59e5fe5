#include "codec/packed_position.hpp"

#include <optional>
#include <string>

#include "chess/fen.hpp"
#include "codec/bit_sets.hpp"

namespace fendex::codec {

namespace {

using chess::Bitboard;
using chess::Color;
using chess::Piece;
using chess::PieceType;
using chess::Square;

constexpr unsigned kSquareBits = 6;
constexpr unsigned kFileBits = 3;
constexpr unsigned kVariantBits = 4;
constexpr unsigned kLengthBits = 8;
static_assert(chess::kMaxFenLength <= 1U << kLengthBits);

constexpr Bitboard kEdgeRanks = chess::rank_mask(0) | chess::rank_mask(7);

/// The squares of the rights of standard chess, in the order of their bits.
constexpr Square kUsualRooks[] = {7, 0, 63, 56};

/// A castling right: whose it is, and on which side.
struct Right {
    Color color;
    bool short_side;
};
constexpr Right kRights[] = {
    {Color::kWhite, true}, {Color::kWhite, false}, {Color::kBlack, true}, {Color::kBlack, false}};

/// The squares without those of the kings.
constexpr unsigned kOtherSquares = 62;

/// Where pieces are, except the kings. `type_low` and `type_high` are the bits of the number of a
/// piece that is not a pawn: N, B, R, Q.
struct Pieces {
    Bitboard occupied = 0;
    Bitboard white = 0;
    Bitboard pawns = 0;
    Bitboard type_low = 0;
    Bitboard type_high = 0;

    Bitboard may_be_pawns() const { return occupied & ~kEdgeRanks; }
    Bitboard others() const { return occupied & ~pawns; }
    Piece on(Square s) const {
        const auto is_in = [s](Bitboard set) { return static_cast<unsigned>(set >> s & 1); };
        const unsigned type = is_in(~pawns) + is_in(type_low) + 2 * is_in(type_high);
        return make_piece(static_cast<Color>(is_in(white)), static_cast<PieceType>(type));
    }
};

void put_castling(const chess::Position& position, BitWriter& out) {
    const Bitboard rooks = position.castling_rooks();
    out.put(rooks != 0 ? 1 : 0, 1);
    if (rooks == 0) return;
    Square of_right[4];
    unsigned rights = 0;
    bool usual = true;
    for (unsigned i = 0; i < 4; ++i) {
        of_right[i] = position.castling_rook(kRights[i].color, kRights[i].short_side);
        if (of_right[i] == chess::kNoSquare) continue;
        rights |= 1U << i;
        usual = usual && of_right[i] == kUsualRooks[i];
    }
    out.put(rights, 4);
    out.put(usual ? 1 : 0, 1);
    if (usual) return;
    for (unsigned i = 0; i < 4; ++i) {
        if ((rights >> i & 1) != 0) out.put(chess::file_of(of_right[i]), kFileBits);
    }
}

/// Appends a bit for each square of a set: whether it belongs to a part of it.
void put_part(Bitboard part, Bitboard set, BitWriter& out) {
    out.put(gathered(part, set), chess::count(set));
}

Bitboard get_castling(BitReader& bits) {
    if (bits.get(1) == 0) return 0;
    const std::uint64_t rights = bits.get(4);
    const bool usual = bits.get(1) != 0;
    Bitboard rooks = 0;
    Bitboard usual_rooks = 0;
    for (unsigned i = 0; i < 4; ++i) {
        if ((rights >> i & 1) == 0) continue;
        usual_rooks |= chess::bit(kUsualRooks[i]);
        const auto file =
            usual ? chess::file_of(kUsualRooks[i]) : static_cast<unsigned>(bits.get(kFileBits));
        rooks |= chess::bit(chess::make_square(file, chess::back_rank(kRights[i].color)));
    }
    // There is one spelling of each position.
    if (rooks == 0 || (!usual && rooks == usual_rooks)) bits.fail();
    return rooks;
}

/// The parts of a standard position, before they are checked.
struct Parts {
    Color side = Color::kWhite;
    Bitboard castling = 0;
    std::optional<unsigned> en_passant_file;
    Square kings[2] = {0, 0};
};

/// Reads a standard position up to its kings.
Parts get_parts(BitReader& bits) {
    Parts parts;
    parts.side = bits.get(1) != 0 ? Color::kWhite : Color::kBlack;
    parts.castling = get_castling(bits);
    if (bits.get(1) != 0) parts.en_passant_file = static_cast<unsigned>(bits.get(kFileBits));
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        parts.kings[index(c)] = static_cast<Square>(bits.get(kSquareBits));
    }
    return parts;
}

/// Reads a number of up to 64 bits.
std::uint64_t get_long(BitReader& bits, unsigned size) {
    constexpr unsigned kHalf = 32;
    if (size <= kHalf) return bits.get(size);
    const std::uint64_t low = bits.get(kHalf);
    return low | bits.get(size - kHalf) << kHalf;
}

/// Reads the bits that say which squares of a set belong to a part of it.
Bitboard get_part(BitReader& bits, Bitboard set) {
    return scattered(get_long(bits, chess::count(set)), set);
}

Pieces get_pieces(BitReader& bits, const Parts& parts) {
    const Bitboard kings = chess::bit(parts.kings[0]) | chess::bit(parts.kings[1]);
    Pieces out;
    out.occupied = scattered(get_long(bits, kOtherSquares), ~kings);
    out.white = get_part(bits, out.occupied);
    out.pawns = get_part(bits, out.may_be_pawns());
    out.type_low = get_part(bits, out.others());
    out.type_high = get_part(bits, out.others());
    return out;
}

Square en_passant_square(const Parts& parts) {
    return chess::make_square(*parts.en_passant_file, parts.side == Color::kWhite ? 5 : 2);
}

bool get_standard(BitReader& bits, chess::AnyPosition& out) {
    const Parts parts = get_parts(bits);
    if (parts.kings[0] == parts.kings[1]) return false;
    chess::VariantSetup setup;
    setup.side = parts.side;
    setup.castling = parts.castling;
    if (parts.en_passant_file) setup.en_passant = en_passant_square(parts);
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        setup.board[parts.kings[index(c)]] = make_piece(c, PieceType::kKing);
    }
    const Pieces pieces = get_pieces(bits, parts);
    if (bits.failed()) return false;
    for (Bitboard rest = pieces.occupied; rest != 0;) {
        const Square s = chess::pop_lowest(rest);
        setup.board[s] = pieces.on(s);
    }
    const auto position = chess::any_position(chess::Variant::kStandard, setup);
    if (!position) return false;
    // There is one spelling of each position.
    if (parts.en_passant_file && !position->standard()->en_passant_is_legal()) return false;
    out = *position;
    return true;
}

/// A position of a variant is its EPD.
bool get_of_variant(BitReader& bits, chess::AnyPosition& out) {
    const auto variant = static_cast<chess::Variant>(bits.get(kVariantBits));
    const std::uint64_t size = bits.get(kLengthBits);
    std::string epd;
    for (std::uint64_t i = 0; i < size && !bits.failed(); ++i) {
        epd += static_cast<char>(bits.get(8));
    }
    if (bits.failed() || static_cast<unsigned>(variant) >= chess::kVariants ||
        chess::has_standard_rules(variant) || variant == chess::Variant::kOther) {
        return false;
    }
    const auto position = chess::any_position(chess::parse_any_fen(epd, variant));
    if (!position || position->of_variant() == nullptr || chess::to_epd(*position) != epd) {
        return false;
    }
    out = *position;
    return true;
}

}  // namespace

void put_position(const chess::Position& position, BitWriter& out) {
    out.put(0, 1);
    out.put(index(position.side_to_move()), 1);
    put_castling(position, out);
    out.put(position.en_passant_is_legal() ? 1 : 0, 1);
    if (position.en_passant_is_legal()) {
        out.put(chess::file_of(position.en_passant_square()), kFileBits);
    }
    const Square white = position.king(Color::kWhite);
    const Square black = position.king(Color::kBlack);
    out.put(white, kSquareBits);
    out.put(black, kSquareBits);
    const Bitboard kings = chess::bit(white) | chess::bit(black);
    const auto of = [&](PieceType type) { return position.pieces(type); };
    Pieces pieces;
    pieces.occupied = position.occupied() & ~kings;
    pieces.white = position.pieces(Color::kWhite);
    pieces.pawns = of(PieceType::kPawn);
    pieces.type_low = of(PieceType::kBishop) | of(PieceType::kQueen);
    pieces.type_high = of(PieceType::kRook) | of(PieceType::kQueen);
    out.put(gathered(pieces.occupied, ~kings), kOtherSquares);
    put_part(pieces.white, pieces.occupied, out);
    put_part(pieces.pawns, pieces.may_be_pawns(), out);
    put_part(pieces.type_low, pieces.others(), out);
    put_part(pieces.type_high, pieces.others(), out);
}

void put_position(const chess::AnyPosition& position, BitWriter& out) {
    if (const chess::Position* const standard = position.standard()) {
        return put_position(*standard, out);
    }
    out.put(1, 1);
    out.put(static_cast<unsigned>(position.variant()), kVariantBits);
    const std::string epd = chess::to_epd(position);
    out.put(epd.size(), kLengthBits);
    for (const char c : epd) out.put(static_cast<unsigned char>(c), 8);
}

bool get_position(BitReader& bits, chess::AnyPosition& out) {
    return bits.get(1) != 0 ? get_of_variant(bits, out) : get_standard(bits, out);
}

bool get_position_key(BitReader& bits, std::uint64_t& key) {
    const BitReader begin = bits;
    if (bits.get(1) == 0) {
        const Parts parts = get_parts(bits);
        std::uint64_t sum = parts.side == Color::kWhite ? chess::zobrist::white_to_move() : 0;
        if (parts.en_passant_file) sum ^= chess::zobrist::en_passant(*parts.en_passant_file);
        for (const Color c : {Color::kWhite, Color::kBlack}) {
            sum ^= chess::zobrist::piece(make_piece(c, PieceType::kKing), parts.kings[index(c)]);
        }
        for (unsigned i = 0; i < 4; ++i) {
            if ((parts.castling & chess::bit(kUsualRooks[i])) != 0) {
                sum ^= chess::zobrist::castling(kRights[i].color, kRights[i].short_side);
            }
        }
        const Pieces pieces = get_pieces(bits, parts);
        for (Bitboard rest = pieces.occupied; rest != 0;) {
            const Square s = chess::pop_lowest(rest);
            sum ^= chess::zobrist::piece(pieces.on(s), s);
        }
        constexpr Bitboard kCorners = 0x8100000000000081ULL;
        if ((parts.castling & ~kCorners) == 0) {
            key = sum;
            return !bits.failed();
        }
        bits = begin;
    } else {
        bits = begin;
    }
    // Rights of Chess960 and variants have terms that depend on more than a part.
    chess::AnyPosition position;
    if (!get_position(bits, position)) return false;
    key = position.key();
    return true;
}

}  // namespace fendex::codec
