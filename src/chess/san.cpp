// Reading SAN: parses English SAN, and finds the move that it names on the standard board.
#include "chess/san.hpp"

#include "base/typeset.hpp"
#include "chess/san_lexer.hpp"
#include "chess/uci_squares.hpp"

namespace fendex::chess {

namespace {

constexpr PieceType piece_of_san_letter(char c) {
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

constexpr bool is_suffix(char c) { return c == '+' || c == '#' || c == '!' || c == '?'; }
/// Returns whether `s` is empty or begins with a check mark or glyph. Text after those is ignored.
constexpr bool is_tail(std::string_view s) { return s.empty() || is_suffix(s[0]); }

constexpr bool begins_en_passant(std::string_view s) {
    return s.starts_with("e.p") || s.starts_with("ep");
}

/// English letters in ASCII: a Script of san_lexer.hpp. `kVariants` adds drops and promotions to a
/// king.
template <bool kVariants>
struct EnglishScript {
    static std::size_t castling_length(std::string_view s) {
        return !s.empty() && (s[0] == 'O' || s[0] == '0' || s[0] == 'o') ? 1 : 0;
    }
    static std::size_t dash_length(std::string_view s) { return base::dash_length(s); }
    static std::size_t capture_length(std::string_view s) {
        return s[0] == 'x' || s[0] == ':' ? 1 : 0;
    }
    static bool begins_plainly(char c) {
        return san::is_file(c) || piece_of_san_letter(c) != PieceType::kNone;
    }
    static bool ends_squares(std::string_view s, const san::Squares& squares) {
        if (!squares.complete()) return false;
        // e7e8b: a promotion as UCI writes it, because no square follows.
        if (s[0] == 'b' && squares.on_last_rank() && is_tail(s.substr(1))) return true;
        return s[0] == 'e' && begins_en_passant(s);
    }

    static SanError take_piece(std::string_view& s, SanMove& move) {
        if (!san::is_file(s[0])) {
            const PieceType type = piece_of_san_letter(s[0]);
            const bool pawn_drop = kVariants && s[0] == '@';
            if (type == PieceType::kNone && !pawn_drop) return SanError::kUnknownCharacter;
            if (!pawn_drop) {
                move.piece = type;
                move.names_piece = true;
                s.remove_prefix(1);
            }
        }
        if (kVariants && s.starts_with('@')) {
            if (move.piece == PieceType::kKing) return SanError::kUnknownCharacter;
            move.kind = SanMove::Kind::kDrop;
            s.remove_prefix(1);
        }
        return SanError::kNone;
    }

    static SanError take_rest(std::string_view s, SanMove& move) {
        const bool has_target = move.to_file != SanMove::kAny && move.to_rank != SanMove::kAny;
        if (move.kind == SanMove::Kind::kDrop) {
            const bool only_target = has_target && move.from_file == SanMove::kAny &&
                                     move.from_rank == SanMove::kAny && !move.capture;
            return only_target ? take_tail(s, move) : SanError::kUnknownCharacter;
        }
        if (!has_target) return SanError::kNoTarget;
        if (is_tail(s)) return SanError::kNone;
        if (s[0] == ' ') s.remove_prefix(1);  // e8 =Q, e8 (Q)
        if (s.empty()) return SanError::kUnknownCharacter;
        if (begins_en_passant(s)) {
            s.remove_prefix(s[1] == '.' ? 3 : 2);
            if (s.starts_with('.')) s.remove_prefix(1);
            return take_tail(s, move);
        }
        if (s[0] == '=' || s[0] == '(' || s[0] == '/' ||
            piece_of_san_letter(upper(s[0])) != PieceType::kNone) {
            return take_promotion(s, move);
        }
        return SanError::kUnknownCharacter;
    }

    static SanError take_tail(std::string_view s, SanMove&) {
        return is_tail(s) ? SanError::kNone : SanError::kUnknownCharacter;
    }

  private:
    /// Takes =Q, = Q, Q, (Q), =(Q), /Q or q.
    static SanError take_promotion(std::string_view s, SanMove& move) {
        const bool may_be_king = kVariants && s[0] == '=';
        if (s.starts_with("=(")) s.remove_prefix(1);
        if (s[0] == '=' || s[0] == '(' || s[0] == '/') s.remove_prefix(1);
        if (s.starts_with(' ')) s.remove_prefix(1);
        if (s.empty()) return SanError::kBadPromotion;
        const PieceType type = piece_of_san_letter(upper(s[0]));
        const bool last_rank = move.to_rank == 0 || move.to_rank == 7;
        if (move.piece != PieceType::kPawn || !last_rank || type == PieceType::kNone ||
            type == PieceType::kPawn || (type == PieceType::kKing && !may_be_king)) {
            return SanError::kBadPromotion;
        }
        move.promotion = type;
        s.remove_prefix(1);
        if (s.starts_with(')')) s.remove_prefix(1);
        return take_tail(s, move);
    }
};

}  // namespace

SanError parse_san(std::string_view text, SanMove& out) {
    EnglishScript<false> script;
    return san::read_move(text, script, out);
}

SanError parse_variant_san(std::string_view text, SanMove& out) {
    EnglishScript<true> script;
    return san::read_move(text.substr(0, text.find_last_not_of("+#!?") + 1), script, out);
}

namespace {

SanError checked(const Position& p, Move m, Move& out) {
    out = m;
    return p.is_legal(m) ? SanError::kNone : SanError::kIllegal;
}

SanError resolve_castling(const Position& p, bool short_side, Move& out) {
    const Square rook = p.castling_rook(p.side_to_move(), short_side);
    if (rook == kNoSquare) return SanError::kCannotCastle;
    out = Move(p.king(p.side_to_move()), rook, MoveKind::kCastle);
    return p.is_legal(out) ? SanError::kNone : SanError::kCannotCastle;
}

/// Finds the move of the pawn on `from` to `to`, if a pawn moves that way: a step or a capture.
SanError resolve_pawn_from(const Position& p, const SanMove& san, Square from, Move& out) {
    const Color us = p.side_to_move();
    const Square to = san.to();
    const bool last_rank = rank_of(to) == back_rank(~us);
    if (last_rank != (san.promotion != PieceType::kNone)) {
        return last_rank ? SanError::kNoPromotion : SanError::kNoSuchPiece;
    }
    if (san.promotion == PieceType::kKing) return SanError::kBadPromotion;
    const MoveKind kind = last_rank ? Move::promotion_kind(san.promotion) : MoveKind::kNormal;
    if (file_of(from) != file_of(to)) {
        if ((pawn_attacks(us, from) & bit(to)) == 0) return SanError::kNoSuchPiece;
        if ((p.pieces(~us) & bit(to)) != 0) return checked(p, Move(from, to, kind), out);
        if (to == p.en_passant_square()) {
            return checked(p, Move(from, to, MoveKind::kEnPassant), out);
        }
        return SanError::kNoSuchPiece;
    }
    const Square ahead = us == Color::kWhite ? from + 8 : from - 8;
    if ((p.occupied() & bit(to)) != 0) return SanError::kNoSuchPiece;
    if (ahead == to) return checked(p, Move(from, to, kind), out);
    const bool double_step = rank_of(from) == (us == Color::kWhite ? 1U : 6U) &&
                             (ahead ^ 8U) == to && (p.occupied() & bit(ahead)) == 0;
    return double_step ? checked(p, Move(from, to, MoveKind::kDoublePush), out)
                       : SanError::kNoSuchPiece;
}

SanError resolve_pawn(const Position& p, const SanMove& san, Move& out) {
    const Color us = p.side_to_move();
    const Square to = san.to();
    const unsigned behind_rank = us == Color::kWhite ? rank_of(to) - 1 : rank_of(to) + 1;
    if (behind_rank > 7) return SanError::kNoSuchPiece;
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
    if (candidates == 0) return SanError::kNoSuchPiece;
    if (!more_than_one(candidates)) return resolve_pawn_from(p, san, lowest(candidates), out);

    Move other;
    const SanError low = resolve_pawn_from(p, san, lowest(candidates), out);
    const SanError high =
        resolve_pawn_from(p, san, highest(candidates), low == SanError::kNone ? other : out);
    if (low == SanError::kNone && high == SanError::kNone) {
        return SanError::kAmbiguous;
    }
    return low == SanError::kNone ? low : high;
}

/// "ed": finds the one legal capture between two files.
SanError resolve_files(const Position& p, const SanMove& san, Move& out) {
    const Color us = p.side_to_move();
    unsigned found = 0;
    Bitboard pawns = p.pieces(us, PieceType::kPawn) & file_mask(san.from_file);
    while (pawns != 0) {
        const Square from = pop_lowest(pawns);
        const Bitboard target = pawn_attacks(us, from) & file_mask(san.to_file);
        if (target == 0) continue;
        SanMove full = san;
        full.to_rank = static_cast<std::uint8_t>(rank_of(lowest(target)));
        Move move;
        if (resolve_pawn_from(p, full, from, move) != SanError::kNone) continue;
        out = move;
        ++found;
    }
    if (found == 1) return SanError::kNone;
    return found == 0 ? SanError::kNoSuchPiece : SanError::kAmbiguous;
}

/// e2e4, g1f3, e1g1, e1h1: finds the move of the piece on the origin.
SanError resolve_coordinates(const Position& p, const SanMove& san, Move& out) {
    const Color us = p.side_to_move();
    const Square from = make_square(san.from_file, san.from_rank);
    const Piece moved = p.piece_on(from);
    if (moved == Piece::kNone || color_of(moved) != us) return SanError::kNoSuchPiece;
    const PieceType type = type_of(moved);
    if (type == PieceType::kPawn) return resolve_pawn_from(p, san, from, out);
    if (san.promotion != PieceType::kNone) return SanError::kNoSuchPiece;
    if (type == PieceType::kKing) {
        const bool onto_rook = (p.castling_rooks() & p.pieces(us) & bit(san.to())) != 0;
        const bool two_steps = rank_of(from) == rank_of(san.to()) && file_of(from) == 4 &&
                               (file_of(san.to()) == 6 || file_of(san.to()) == 2);
        if (onto_rook || two_steps) return resolve_castling(p, san.to() > from, out);
    }
    if ((attacks(type, from, p.occupied()) & ~p.pieces(us) & bit(san.to())) == 0) {
        return SanError::kNoSuchPiece;
    }
    return checked(p, Move(from, san.to()), out);
}

/// Castling and null moves.
SanError resolve_special(const Position& p, const SanMove& san, Move& out) {
    switch (san.kind) {
        case SanMove::Kind::kCastleShort: return resolve_castling(p, true, out);
        case SanMove::Kind::kCastleLong: return resolve_castling(p, false, out);
        case SanMove::Kind::kNull:
            out = Move::null();
            return p.is_legal(out) ? SanError::kNone : SanError::kNullInCheck;
        case SanMove::Kind::kPiece:
        case SanMove::Kind::kDrop: break;
    }
    return SanError::kCannotDrop;
}

/// Finds the move of a piece that is not a pawn.
SanError resolve_piece(const Position& p, const SanMove& san, Move& out) {
    const Color us = p.side_to_move();
    const Square to = san.to();
    if ((p.pieces(us) & bit(to)) != 0) return SanError::kNoSuchPiece;
    Bitboard candidates = p.pieces(us, san.piece) & empty_board_attacks(san.piece, to);
    if (san.from_file != SanMove::kAny) candidates &= file_mask(san.from_file);
    if (san.from_rank != SanMove::kAny) candidates &= rank_mask(san.from_rank);
    const Bitboard occupied = p.occupied();
    if (!more_than_one(candidates)) {
        if (candidates == 0) return SanError::kNoSuchPiece;
        const Square from = lowest(candidates);
        if ((between(from, to) & occupied) != 0) return SanError::kNoSuchPiece;
        return checked(p, Move(from, to), out);
    }
    for (Bitboard each = candidates; each != 0;) {
        const Square from = pop_lowest(each);
        if ((between(from, to) & occupied) != 0) candidates ^= bit(from);
    }
    if (candidates == 0) return SanError::kNoSuchPiece;
    if (!more_than_one(candidates)) return checked(p, Move(lowest(candidates), to), out);

    // Several pieces reach the target; pinned ones do not count.
    unsigned legal = 0;
    for (Bitboard each = candidates; each != 0;) {
        const Move m(pop_lowest(each), to);
        if (p.is_legal(m)) {
            out = m;
            ++legal;
        }
    }
    if (legal == 1) return SanError::kNone;
    return legal == 0 ? SanError::kIllegal : SanError::kAmbiguous;
}

/// Reads "e2e4" and "e7e8q", which are nearly all moves in UCI notation.
bool read_plain_uci(std::string_view text, SanMove& out) {
    UciSquares squares;
    if (!read_squares(text, squares)) return false;
    out.promotion = squares.promotion;
    out.from_file = static_cast<std::uint8_t>(file_of(squares.from));
    out.from_rank = static_cast<std::uint8_t>(rank_of(squares.from));
    out.to_file = static_cast<std::uint8_t>(file_of(squares.to));
    out.to_rank = static_cast<std::uint8_t>(rank_of(squares.to));
    return true;
}

}  // namespace

SanError resolve_san(const Position& p, const SanMove& san, Move& out) {
    if (san.kind != SanMove::Kind::kPiece) return resolve_special(p, san, out);
    if (san.piece != PieceType::kPawn) return resolve_piece(p, san, out);
    if (san.to_rank == SanMove::kAny) return resolve_files(p, san, out);
    return san.coordinates() ? resolve_coordinates(p, san, out) : resolve_pawn(p, san, out);
}

SanError read_san(const Position& position, std::string_view text, Move& out) {
    SanMove san;
    const SanError error = parse_san(text, san);
    return error == SanError::kNone ? resolve_san(position, san, out) : error;
}

template <Board B>
SanError read_uci(const B& position, std::string_view text, Move& out) {
    SanMove move;
    if (!read_plain_uci(text, move)) {
        // The SAN parser also reads what else UCI writes: drops ("N@f3"), promotions to a king.
        const SanError error = parse_variant_san(text == "0000" ? "--" : text, move);
        if (error != SanError::kNone) return error;
        if (!move.coordinates() && move.kind != SanMove::Kind::kDrop && text != "0000") {
            return SanError::kUnknownCharacter;
        }
    }
    return resolve_san(position, move, out);
}

template SanError read_uci(const Position&, std::string_view, Move&);
template SanError read_uci(const VariantPosition&, std::string_view, Move&);

std::string_view describe(SanError error) {
    switch (error) {
        case SanError::kNone: return "no error";
        case SanError::kEmpty: return "empty move";
        case SanError::kUnknownCharacter: return "not a move";
        case SanError::kNoTarget: return "move without a target square";
        case SanError::kTooManySquares: return "move with too many squares";
        case SanError::kBadPromotion: return "impossible promotion";
        case SanError::kNoSuchPiece: return "illegal move: no such piece can go there";
        case SanError::kAmbiguous: return "ambiguous move: several pieces can go there";
        case SanError::kIllegal: return "illegal move: the king would be in check";
        case SanError::kNoPromotion: return "pawn on the last rank without a promotion piece";
        case SanError::kCannotCastle: return "illegal move: castling is not possible";
        case SanError::kCannotDrop: return "illegal move: the piece cannot be dropped there";
        case SanError::kNullInCheck: return "null move in check";
        case SanError::kGameOver: return "the game is over by the variant's rule";
    }
    return "unknown error";
}

}  // namespace fendex::chess
