#include "chess/variant_san.hpp"

#include <optional>
#include <vector>

#include "chess/san.hpp"
#include "chess/variant_movegen.hpp"

namespace fendex::chess {

namespace {

constexpr std::string_view kPieceLetters = "PNBRQK";  // in the order of PieceType

std::optional<Square> square_of(std::string_view text) {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') {
        return std::nullopt;
    }
    return make_square(static_cast<unsigned>(text[0] - 'a'), static_cast<unsigned>(text[1] - '1'));
}

std::string_view without_marks(std::string_view text) {
    return text.substr(0, text.find_last_not_of("+#!?") + 1);
}

/// A drop as text says it; empty where the text is no drop.
std::optional<Move> read_drop(std::string_view text) {
    const std::size_t at = text.find('@');
    if (at > 1) return std::nullopt;
    const std::size_t letter = at == 0 ? 0 : kPieceLetters.find(text[0]);
    const std::optional<Square> to = square_of(text.substr(at + 1));
    if (letter >= index(PieceType::kKing) || !to) return std::nullopt;
    return Move(static_cast<Square>(letter), *to, MoveKind::kDrop);
}

bool is_castling(const VariantPosition& p, Move m, const SanMove& san) {
    const bool short_side = m.to() > m.from();
    switch (san.kind) {
        case SanMove::Kind::kCastleShort: return short_side;
        case SanMove::Kind::kCastleLong: return !short_side;
        default:
            // As UCI writes it: e1h1, and e1g1, which from another file is a step of the king.
            return san.coordinates && san.from_file == file_of(m.from()) &&
                   san.from_rank == rank_of(m.from()) &&
                   (san.to == m.to() || (file_of(m.from()) == 4 &&
                                         san.to == castled_king(p.side_to_move(), short_side)));
    }
}

bool names(const VariantPosition& p, const SanMove& san, bool king, Move m) {
    if (m.kind() == MoveKind::kCastle) return is_castling(p, m, san);
    if (san.kind != SanMove::Kind::kPiece || m.kind() == MoveKind::kDrop || m.to() != san.to) {
        return false;
    }
    const PieceType moved = type_of(p.piece_on(m.from()));
    return (moved == san.piece || san.coordinates) &&
           (san.from_file == SanMove::kAny || san.from_file == file_of(m.from())) &&
           (san.from_rank == SanMove::kAny || san.from_rank == rank_of(m.from())) &&
           m.promotion() == san.promotion && (m.kind() == MoveKind::kPromoteKing) == king;
}

/// What tells a piece's move from those of its like: the file, else the rank, else both.
std::string origin(const VariantPosition& p, const std::vector<Move>& legal, Move m) {
    bool others = false;
    bool same_file = false;
    bool same_rank = false;
    for (const Move other : legal) {
        if (other.kind() == MoveKind::kDrop || other.kind() == MoveKind::kCastle ||
            other.to() != m.to() || other.from() == m.from() ||
            p.piece_on(other.from()) != p.piece_on(m.from())) {
            continue;
        }
        others = true;
        same_file |= file_of(other.from()) == file_of(m.from());
        same_rank |= rank_of(other.from()) == rank_of(m.from());
    }
    std::string square;
    append_square(m.from(), square);
    if (!others) return {};
    if (!same_file) return square.substr(0, 1);
    return same_rank ? square : square.substr(1);
}

/// As SAN and UCI both write it.
void append_drop(Move m, std::string& out) {
    out += kPieceLetters[m.from()];
    out += '@';
    append_square(m.to(), out);
}

std::string mark(const VariantPosition& after) {
    if (after.is_over()) return "#";
    if (!after.in_check()) return {};
    return legal_moves(after).empty() ? "#" : "+";
}

}  // namespace

std::string_view read_san(const VariantPosition& position, std::string_view text, Move& out) {
    if (position.is_over()) return "the game is over by the variant's rule";
    text = without_marks(text);
    if (text.find('@') != std::string_view::npos) {
        const std::optional<Move> drop = read_drop(text);
        if (!drop) return "not a move";
        for (const Move m : legal_moves(position)) {
            if (m != *drop) continue;
            out = m;
            return {};
        }
        return "illegal move: the piece cannot be dropped there";
    }
    const bool king = text.ends_with("=K") || text.ends_with("=k");
    if (king) text.remove_suffix(2);
    SanMove san;
    if (const SanParseError error = parse_san(text, san); error != SanParseError::kNone) {
        return describe(error);
    }
    if (san.kind == SanMove::Kind::kNull) {
        if (!position.is_legal(Move::null())) return describe(SanResolveError::kNullInCheck);
        out = Move::null();
        return {};
    }
    unsigned found = 0;
    for (const Move m : legal_moves(position)) {
        if (!names(position, san, king, m)) continue;
        out = m;
        ++found;
    }
    if (found == 1) return {};
    return describe(found == 0 ? SanResolveError::kNoSuchPiece : SanResolveError::kAmbiguous);
}

std::string to_san(const VariantPosition& p, Move m) {
    if (m.kind() == MoveKind::kNull) return "--";
    std::string out;
    if (m.kind() == MoveKind::kDrop) {
        append_drop(m, out);
    } else if (m.kind() == MoveKind::kCastle) {
        out = m.to() > m.from() ? "O-O" : "O-O-O";
    } else {
        const PieceType type = type_of(p.piece_on(m.from()));
        const bool captures =
            p.piece_on(m.to()) != Piece::kNone || m.kind() == MoveKind::kEnPassant;
        if (type != PieceType::kPawn) {
            out += kPieceLetters[index(type)];
            out += origin(p, legal_moves(p), m);
        } else if (captures) {
            out += static_cast<char>('a' + file_of(m.from()));
        }
        if (captures) out += 'x';
        append_square(m.to(), out);
        if (m.is_promotion()) out += std::string("=") + kPieceLetters[index(m.promotion())];
        if (m.kind() == MoveKind::kPromoteKing) out += "=K";
    }
    VariantPosition after = p;
    after.play(m);
    return out + mark(after);
}

void append_san(const VariantPosition& p, Move m, std::string& out) { out += to_san(p, m); }

std::string to_uci(const VariantPosition& p, Move m) {
    std::string out;
    append_uci(p, m, p.variant(), out);
    return out;
}

void append_uci(const VariantPosition& p, Move m, Variant variant, std::string& out) {
    if (m.kind() == MoveKind::kNull) {
        out += "0000";
        return;
    }
    if (m.kind() == MoveKind::kDrop) {
        append_drop(m, out);
        return;
    }
    append_square(m.from(), out);
    if (m.kind() == MoveKind::kCastle) {
        constexpr Bitboard kCorners = 0x8100000000000081ULL;
        const bool standard = variant != Variant::kChess960 && file_of(m.from()) == 4 &&
                              (bit(m.to()) & kCorners) != 0;
        append_square(standard ? castled_king(p.side_to_move(), m.to() > m.from()) : m.to(), out);
        return;
    }
    append_square(m.to(), out);
    if (m.is_promotion()) out += "?nbrq"[index(m.promotion())];
    if (m.kind() == MoveKind::kPromoteKing) out += 'k';
}

}  // namespace fendex::chess
