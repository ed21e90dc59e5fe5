#include "chess/san.hpp"

#include "base/typeset.hpp"
#include "chess/movegen.hpp"

namespace fendex::chess {

namespace {

using base::dash_length;

constexpr char kPieceLetters[] = "PNBRQK";

constexpr PieceType piece_of_letter(char c) {
    switch (c) {
        case 'N': return PieceType::kKnight;
        case 'B': return PieceType::kBishop;
        case 'R': return PieceType::kRook;
        case 'Q': return PieceType::kQueen;
        case 'K': return PieceType::kKing;
        case 'P': return PieceType::kPawn;
        default: return PieceType::kNone;
    }
}

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
constexpr bool is_file(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool is_rank(char c) { return c >= '1' && c <= '8'; }

constexpr bool is_suffix(char c) { return c == '+' || c == '#' || c == '!' || c == '?'; }

/// O-O, 0-0, o-o, OO, and the long forms: the number of rooks' O's, 0 where it is no castling.
unsigned castling_letters(std::string_view s) {
    unsigned letters = 0;
    while (!s.empty() && !is_suffix(s[0])) {
        if (s[0] == 'O' || s[0] == '0' || s[0] == 'o') {
            ++letters;
            s.remove_prefix(1);
        } else if (const std::size_t n = dash_length(s); n != 0) {
            s.remove_prefix(n);
        } else {
            return 0;
        }
    }
    return letters;
}

SanParseError parse_special(std::string_view text, SanMove& out) {
    if (text == "--" || text == "Z0" || text == "@@@@" || text == "0000" || text == "null") {
        out.kind = SanMove::Kind::kNull;
        return SanParseError::kNone;
    }
    switch (castling_letters(text)) {
        case 2: out.kind = SanMove::Kind::kCastleShort; return SanParseError::kNone;
        case 3: out.kind = SanMove::Kind::kCastleLong; return SanParseError::kNone;
        default: return SanParseError::kUnknownCharacter;
    }
}

/// The letter after a complete target on the last rank: =Q, Q, (Q), /Q, q.
SanParseError parse_promotion(std::string_view rest, SanMove& out) {
    if (rest[0] == '=' || rest[0] == '(' || rest[0] == '/') rest.remove_prefix(1);
    if (rest.empty()) return SanParseError::kBadPromotion;
    const PieceType type = piece_of_letter(upper(rest[0]));
    const unsigned rank = rank_of(out.to);
    if (out.piece != PieceType::kPawn || (rank != 0 && rank != 7) || type == PieceType::kNone ||
        type == PieceType::kPawn || type == PieceType::kKing) {
        return SanParseError::kBadPromotion;
    }
    out.promotion = type;
    rest.remove_prefix(1);
    if (!rest.empty() && rest[0] == ')') rest.remove_prefix(1);
    return rest.empty() || is_suffix(rest[0]) ? SanParseError::kNone
                                              : SanParseError::kUnknownCharacter;
}

}  // namespace

SanParseError parse_san(std::string_view text, SanMove& out) {
    out = SanMove{};
    if (text.empty()) return SanParseError::kEmpty;
    std::size_t i = 0;
    const char first = text[0];
    if (!is_file(first)) {
        const PieceType type = piece_of_letter(first);
        if (type == PieceType::kNone) return parse_special(text, out);
        out.piece = type;
        i = 1;
    }

    // Squares are collected in pairs: what was complete when another begins is the origin.
    std::uint8_t file = SanMove::kAny;
    std::uint8_t rank = SanMove::kAny;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (is_file(c)) {
            const bool complete = file != SanMove::kAny && rank != SanMove::kAny;
            if (complete && (rank == 0 || rank == 7) && c == 'b' &&
                (i + 1 == text.size() || is_suffix(text[i + 1]))) {
                break;  // e7e8b: promotion as UCI writes it, for no square follows
            }
            if (complete && c == 'e' &&
                (text.substr(i).starts_with("e.p") || text.substr(i).starts_with("ep"))) {
                break;
            }
            if (file != SanMove::kAny || rank != SanMove::kAny) {
                if (out.from_file != SanMove::kAny || out.from_rank != SanMove::kAny) {
                    return SanParseError::kTooManySquares;
                }
                out.from_file = file;
                out.from_rank = rank;
                rank = SanMove::kAny;
            }
            file = static_cast<std::uint8_t>(c - 'a');
        } else if (is_rank(c)) {
            if (rank != SanMove::kAny) return SanParseError::kTooManySquares;
            rank = static_cast<std::uint8_t>(c - '1');
        } else if (c == 'x' || c == ':') {
            out.capture = true;
        } else if (const std::size_t dash = dash_length(text.substr(i)); dash != 0) {
            i += dash - 1;
        } else {
            break;
        }
    }
    if (file == SanMove::kAny || rank == SanMove::kAny) return SanParseError::kNoTarget;
    out.to = make_square(file, rank);
    out.coordinates = first != 'P' && out.piece == PieceType::kPawn &&
                      out.from_file != SanMove::kAny && out.from_rank != SanMove::kAny;

    std::string_view rest = text.substr(i);
    if (rest.empty() || is_suffix(rest[0])) return SanParseError::kNone;
    if (rest.starts_with("e.p") || rest.starts_with("ep")) {
        rest.remove_prefix(rest[1] == '.' ? 3 : 2);
        if (!rest.empty() && rest[0] == '.') rest.remove_prefix(1);
        return rest.empty() || is_suffix(rest[0]) ? SanParseError::kNone
                                                  : SanParseError::kUnknownCharacter;
    }
    if (rest[0] == '=' || rest[0] == '(' || rest[0] == '/' ||
        piece_of_letter(upper(rest[0])) != PieceType::kNone) {
        return parse_promotion(rest, out);
    }
    return SanParseError::kUnknownCharacter;
}

namespace {

SanResolveError checked(const Position& p, Move m, Move& out) {
    out = m;
    return p.is_legal(m) ? SanResolveError::kNone : SanResolveError::kIllegal;
}

SanResolveError resolve_castling(const Position& p, bool short_side, Move& out) {
    const Square rook = p.castling_rook(p.side_to_move(), short_side);
    if (rook == kNoSquare) return SanResolveError::kCannotCastle;
    out = Move(p.king(p.side_to_move()), rook, MoveKind::kCastle);
    return p.is_legal(out) ? SanResolveError::kNone : SanResolveError::kCannotCastle;
}

/// The move of the pawn on `from` to `to`, if a pawn moves that way; captures and steps alike.
SanResolveError resolve_pawn_from(const Position& p, const SanMove& san, Square from, Move& out) {
    const Color us = p.side_to_move();
    const Square to = san.to;
    const bool last_rank = rank_of(to) == back_rank(~us);
    if (last_rank != (san.promotion != PieceType::kNone)) {
        return last_rank ? SanResolveError::kNoPromotion : SanResolveError::kNoSuchPiece;
    }
    const MoveKind kind = last_rank ? Move::promotion_kind(san.promotion) : MoveKind::kNormal;
    if (file_of(from) != file_of(to)) {
        if ((pawn_attacks(us, from) & bit(to)) == 0) return SanResolveError::kNoSuchPiece;
        if ((p.pieces(~us) & bit(to)) != 0) return checked(p, Move(from, to, kind), out);
        if (to == p.en_passant_square()) {
            return checked(p, Move(from, to, MoveKind::kEnPassant), out);
        }
        return SanResolveError::kNoSuchPiece;
    }
    const Square ahead = us == Color::kWhite ? from + 8 : from - 8;
    if ((p.occupied() & bit(to)) != 0) return SanResolveError::kNoSuchPiece;
    if (ahead == to) return checked(p, Move(from, to, kind), out);
    const bool double_step = rank_of(from) == (us == Color::kWhite ? 1U : 6U) &&
                             (ahead ^ 8U) == to && (p.occupied() & bit(ahead)) == 0;
    return double_step ? checked(p, Move(from, to, MoveKind::kDoublePush), out)
                       : SanResolveError::kNoSuchPiece;
}

SanResolveError resolve_pawn(const Position& p, const SanMove& san, Move& out) {
    const Color us = p.side_to_move();
    const Square to = san.to;
    const unsigned behind_rank = us == Color::kWhite ? rank_of(to) - 1 : rank_of(to) + 1;
    if (behind_rank > 7) return SanResolveError::kNoSuchPiece;
    const Bitboard pawns = p.pieces(us, PieceType::kPawn);

    Bitboard candidates = 0;
    if (san.from_file != SanMove::kAny && san.from_file != file_of(to)) {
        candidates = bit(make_square(san.from_file, behind_rank));
    } else if (san.capture && san.from_file == SanMove::kAny) {
        candidates = pawn_attacks(~us, to);  // "xd5": no file named
    } else {
        candidates = bit(make_square(file_of(to), behind_rank));
        if ((pawns & candidates) == 0) {
            const unsigned start_rank = us == Color::kWhite ? 1 : 6;
            candidates = bit(make_square(file_of(to), start_rank));
        }
    }
    candidates &= pawns;
    if (san.from_rank != SanMove::kAny) candidates &= rank_mask(san.from_rank);
    if (candidates == 0) return SanResolveError::kNoSuchPiece;
    if (!more_than_one(candidates)) return resolve_pawn_from(p, san, lowest(candidates), out);

    Move other;
    const SanResolveError low = resolve_pawn_from(p, san, lowest(candidates), out);
    const SanResolveError high =
        resolve_pawn_from(p, san, highest(candidates), low == SanResolveError::kNone ? other : out);
    if (low == SanResolveError::kNone && high == SanResolveError::kNone) {
        return SanResolveError::kAmbiguous;
    }
    return low == SanResolveError::kNone ? low : high;
}

/// e2e4, g1f3, e1g1, e1h1: the origin says which piece it is.
SanResolveError resolve_coordinates(const Position& p, const SanMove& san, Move& out) {
    const Color us = p.side_to_move();
    const Square from = make_square(san.from_file, san.from_rank);
    const Piece moved = p.piece_on(from);
    if (moved == Piece::kNone || color_of(moved) != us) return SanResolveError::kNoSuchPiece;
    const PieceType type = type_of(moved);
    if (type == PieceType::kPawn) return resolve_pawn_from(p, san, from, out);
    if (san.promotion != PieceType::kNone) return SanResolveError::kNoSuchPiece;
    if (type == PieceType::kKing) {
        const bool onto_rook = (p.castling_rooks() & p.pieces(us) & bit(san.to)) != 0;
        const bool two_steps = rank_of(from) == rank_of(san.to) && file_of(from) == 4 &&
                               (file_of(san.to) == 6 || file_of(san.to) == 2);
        if (onto_rook || two_steps) return resolve_castling(p, san.to > from, out);
    }
    if ((attacks(type, from, p.occupied()) & ~p.pieces(us) & bit(san.to)) == 0) {
        return SanResolveError::kNoSuchPiece;
    }
    return checked(p, Move(from, san.to), out);
}

}  // namespace

SanResolveError resolve_san(const Position& p, const SanMove& san, Move& out) {
    if (san.kind != SanMove::Kind::kPiece) {
        if (san.kind != SanMove::Kind::kNull) {
            return resolve_castling(p, san.kind == SanMove::Kind::kCastleShort, out);
        }
        out = Move::null();
        return p.is_legal(out) ? SanResolveError::kNone : SanResolveError::kNullInCheck;
    }
    if (san.piece == PieceType::kPawn) {
        return san.coordinates ? resolve_coordinates(p, san, out) : resolve_pawn(p, san, out);
    }

    const Color us = p.side_to_move();
    const Square to = san.to;
    if ((p.pieces(us) & bit(to)) != 0) return SanResolveError::kNoSuchPiece;
    Bitboard candidates = p.pieces(us, san.piece);
    switch (san.piece) {
        case PieceType::kKnight: candidates &= knight_attacks(to); break;
        case PieceType::kBishop: candidates &= bishop_rays(to); break;
        case PieceType::kRook: candidates &= rook_rays(to); break;
        case PieceType::kQueen: candidates &= bishop_rays(to) | rook_rays(to); break;
        default: candidates &= king_attacks(to); break;
    }
    if (san.from_file != SanMove::kAny) candidates &= file_mask(san.from_file);
    if (san.from_rank != SanMove::kAny) candidates &= rank_mask(san.from_rank);
    const Bitboard occupied = p.occupied();
    for (Bitboard each = candidates; each != 0;) {
        const Square from = pop_lowest(each);
        if ((between(from, to) & occupied) != 0) candidates ^= bit(from);
    }
    if (candidates == 0) return SanResolveError::kNoSuchPiece;
    if (!more_than_one(candidates)) return checked(p, Move(lowest(candidates), to), out);

    // Several reach it: the pinned ones drop out.
    unsigned legal = 0;
    for (Bitboard each = candidates; each != 0;) {
        const Move m(pop_lowest(each), to);
        if (p.is_legal(m)) {
            out = m;
            ++legal;
        }
    }
    if (legal == 1) return SanResolveError::kNone;
    return legal == 0 ? SanResolveError::kIllegal : SanResolveError::kAmbiguous;
}

void append_square(Square s, std::string& out) {
    out += static_cast<char>('a' + file_of(s));
    out += static_cast<char>('1' + rank_of(s));
}

namespace {

char* write_square(Square s, char* out) {
    *out++ = static_cast<char>('a' + file_of(s));
    *out++ = static_cast<char>('1' + rank_of(s));
    return out;
}

/// What tells the piece on `from` from others of its kind that could legally go to `to` (PGN
/// 8.2.3.4): its file, else its rank, else both.
char* write_origin(const Position& p, PieceType type, Square from, Square to, Bitboard rivals,
                   char* out) {
    bool any = false;
    bool same_file = false;
    bool same_rank = false;
    for (rivals &= attacks(type, to, p.occupied()); rivals != 0;) {
        const Square rival = pop_lowest(rivals);
        if (!p.is_legal(Move(rival, to))) continue;
        any = true;
        same_file |= file_of(rival) == file_of(from);
        same_rank |= rank_of(rival) == rank_of(from);
    }
    if (any && (!same_file || same_rank)) *out++ = static_cast<char>('a' + file_of(from));
    if (any && same_file) *out++ = static_cast<char>('1' + rank_of(from));
    return out;
}

}  // namespace

char* write_san(const Position& p, Move m, char* out) {
    const Square from = m.from();
    const Square to = m.to();
    if (m.kind() == MoveKind::kNull) {
        *out++ = '-';
        *out++ = '-';
        return out;
    }
    if (m.kind() == MoveKind::kCastle) {
        for (const char c : std::string_view(to > from ? "O-O" : "O-O-O")) *out++ = c;
        return out;
    }
    const PieceType type = type_of(p.piece_on(from));
    const bool capture = p.piece_on(to) != Piece::kNone || m.kind() == MoveKind::kEnPassant;
    if (type == PieceType::kPawn) {
        if (capture) *out++ = static_cast<char>('a' + file_of(from));
    } else {
        *out++ = kPieceLetters[index(type)];
        const Bitboard rivals = p.pieces(p.side_to_move(), type) & ~bit(from);
        if (rivals != 0) out = write_origin(p, type, from, to, rivals, out);
    }
    if (capture) *out++ = 'x';
    out = write_square(to, out);
    if (m.is_promotion()) {
        *out++ = '=';
        *out++ = kPieceLetters[index(m.promotion())];
    }
    return out;
}

char check_mark(const Position& after) {
    if (!after.in_check()) return 0;
    return has_legal_move(after) ? '+' : '#';
}

void append_san(const Position& p, Move m, std::string& out) {
    char san[kMaxSanLength];
    out.append(san, write_san(p, m, san));
    if (m.kind() == MoveKind::kNull) return;
    Position after = p;
    after.play(m);
    if (const char mark = check_mark(after); mark != 0) out += mark;
}

std::string to_san(const Position& position, Move move) {
    std::string out;
    append_san(position, move, out);
    return out;
}

void append_uci(const Position& p, Move m, Variant variant, std::string& out) {
    if (m.kind() == MoveKind::kNull) {
        out += "0000";
        return;
    }
    append_square(m.from(), out);
    if (m.kind() == MoveKind::kCastle && variant == Variant::kStandard) {
        append_square(castled_king(p.side_to_move(), m.to() > m.from()), out);
        return;
    }
    append_square(m.to(), out);
    if (m.is_promotion()) {
        out += static_cast<char>(kPieceLetters[index(m.promotion())] - 'A' + 'a');
    }
}

std::string to_uci(const Position& position, Move move, Variant variant) {
    std::string out;
    append_uci(position, move, variant, out);
    return out;
}

std::string_view describe(SanParseError error) {
    switch (error) {
        case SanParseError::kNone: return "no error";
        case SanParseError::kEmpty: return "empty move";
        case SanParseError::kUnknownCharacter: return "not a move";
        case SanParseError::kNoTarget: return "move without a target square";
        case SanParseError::kTooManySquares: return "move with too many squares";
        case SanParseError::kBadPromotion: return "impossible promotion";
    }
    return "unknown error";
}

std::string_view describe(SanResolveError error) {
    switch (error) {
        case SanResolveError::kNone: return "no error";
        case SanResolveError::kNoSuchPiece: return "illegal move: no such piece can go there";
        case SanResolveError::kAmbiguous: return "ambiguous move: several pieces can go there";
        case SanResolveError::kIllegal: return "illegal move: the king would be in check";
        case SanResolveError::kNoPromotion:
            return "pawn on the last rank without a promotion piece";
        case SanResolveError::kCannotCastle: return "illegal move: castling is not possible";
        case SanResolveError::kNullInCheck: return "null move in check";
    }
    return "unknown error";
}

std::string_view read_san(const Position& position, std::string_view text, Move& out) {
    SanMove san;
    if (const SanParseError error = parse_san(text, san); error != SanParseError::kNone) {
        return describe(error);
    }
    const SanResolveError error = resolve_san(position, san, out);
    return error == SanResolveError::kNone ? std::string_view() : describe(error);
}

}  // namespace fendex::chess
