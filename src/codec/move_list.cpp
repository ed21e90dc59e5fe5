#include "codec/move_list.hpp"

#include <algorithm>
#include <vector>

#include "chess/uci_squares.hpp"
#include "chess/variant_movegen.hpp"
#include "codec/move_decoder.hpp"

namespace fendex::codec {

using chess::Bitboard;
using chess::Move;
using chess::MoveKind;
using chess::PieceType;
using chess::Position;
using chess::Square;

namespace {

/// Returns the number of squares of the set that are below `s`.
unsigned rank_in(Bitboard set, Square s) { return chess::count(set & (chess::bit(s) - 1)); }

/// Appends the code of a move that is not castling. `reached` are the squares that the piece
/// reaches.
void put_move(const Position& p, Move m, PieceType type, Bitboard reached, BitWriter& out) {
    const Bitboard pieces = p.pieces(p.side_to_move(), type);
    // A move takes 17 bits at most: they are put together first.
    const detail::PrefixCode code = detail::kPieceCodes[chess::index(type)];
    std::uint64_t word = code.code;
    unsigned used = code.bits;
    const auto put = [&](std::uint64_t value, unsigned bits) {
        word |= value << used;
        used += bits;
    };
    put(rank_in(pieces, m.from()), bits_for(chess::count(pieces)));
    put(rank_in(reached, m.to()), bits_for(chess::count(reached)));
    if (m.is_promotion()) {
        put(chess::index(m.promotion()) - chess::index(PieceType::kKnight), 2);
    }
    out.put(word, used);
}

}  // namespace

void encode_move(const Position& p, Move m, BitWriter& out) {
    if (m.kind() == MoveKind::kNull || m.kind() == MoveKind::kCastle) {
        const detail::Special special = m.kind() == MoveKind::kNull ? detail::kNullMove
                                        : m.to() > m.from()         ? detail::kCastleShort
                                                                    : detail::kCastleLong;
        const detail::PrefixCode code = detail::kPieceCodes[detail::kSpecialMove];
        out.put(code.code, code.bits);
        out.put(special, 2);
        return;
    }
    const PieceType type = chess::type_of(p.piece_on(m.from()));
    put_move(p, m, type, detail::targets(p, type, m.from()), out);
}

Move encode_plain_uci(const Position& p, std::string_view text, BitWriter& out) {
    chess::UciSquares squares;
    if (!chess::read_squares(text, squares)) return {};
    const auto [from, to, promotion] = squares;
    const chess::Piece piece = p.piece_on(from);
    if (piece == chess::Piece::kNone || chess::color_of(piece) != p.side_to_move()) return {};
    const PieceType type = chess::type_of(piece);
    const Bitboard reached = detail::targets(p, type, from);
    if ((reached & chess::bit(to)) == 0) return {};
    const bool promotes =
        type == PieceType::kPawn && chess::rank_of(to) == chess::back_rank(~p.side_to_move());
    if (promotes != (promotion != PieceType::kNone)) return {};
    const MoveKind kind = promotes                   ? Move::promotion_kind(promotion)
                          : type == PieceType::kPawn ? detail::kind_of_pawn_move(p, from, to)
                                                     : MoveKind::kNormal;
    const Move move(from, to, kind);
    if (!p.is_legal(move)) return {};
    put_move(p, move, type, reached, out);
    return move;
}

void encode_move(const chess::VariantPosition& p, Move m, BitWriter& out) {
    // The code of the null move comes after all legal moves.
    const std::vector<Move> legal = chess::legal_moves(p);
    const auto place = std::ranges::find(legal, m) - legal.begin();
    out.put(static_cast<std::uint64_t>(place), bits_for(legal.size() + 1));
}

bool MoveListReader::next(const chess::VariantPosition& p, Move& out) {
    if (p.is_over()) return false;
    const std::vector<Move> legal = chess::legal_moves(p);
    const std::uint64_t place = bits_.get(bits_for(legal.size() + 1));
    if (bits_.failed() || place > legal.size()) return false;
    out = place < legal.size() ? legal[place] : Move::null();
    return place < legal.size() || p.is_legal(out);
}

bool MoveListReader::next(const Position& p, Move& out) {
    PieceType moved;
    return decode_move(bits_, p, out, moved);
}

}  // namespace fendex::codec
