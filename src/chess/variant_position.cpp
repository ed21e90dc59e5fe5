#include "chess/variant_position.hpp"

#include <algorithm>
#include <string_view>

namespace fendex::chess {

namespace {

/// Sets up the placement of a FEN that is known to be correct.
void place(std::string_view ranks, VariantSetup& setup) {
    Square s = 56;
    for (const char c : ranks) {
        if (c == '/') {
            s -= 16;
        } else if (c >= '1' && c <= '8') {
            s += static_cast<Square>(c - '0');
        } else {
            setup.board[s++] = static_cast<Piece>(kFenLetters.find(c));
        }
    }
}

VariantSetup starting_setup(Variant variant) {
    VariantSetup setup;
    place(rules_of(variant).placement, setup);
    setup.castling = rules_of(variant).castling;
    return setup;
}

}  // namespace

VariantPosition::VariantPosition(Variant variant)
    : VariantPosition(variant, starting_setup(variant)) {}

VariantPosition::VariantPosition(Variant variant, const VariantSetup& setup)
    : castling_(setup.castling),
      promoted_(setup.promoted),
      en_passant_(setup.en_passant),
      halfmove_(setup.halfmove),
      fullmove_(setup.fullmove),
      variant_(variant),
      side_(setup.side) {
    for (Piece& p : board_) p = Piece::kNone;
    for (Square s = 0; s < 64; ++s) {
        if (setup.board[s] != Piece::kNone) put(setup.board[s], s);
    }
    std::memcpy(pockets_, setup.pockets, sizeof pockets_);
    std::memcpy(checks_, setup.checks, sizeof checks_);
    settle();
}

void VariantPosition::put(Piece p, Square s) {
    board_[s] = p;
    color_[index(color_of(p))] |= bit(s);
    type_[index(type_of(p))] |= bit(s);
}

void VariantPosition::remove(Square s) {
    const Piece p = board_[s];
    board_[s] = Piece::kNone;
    color_[index(color_of(p))] &= ~bit(s);
    type_[index(type_of(p))] &= ~bit(s);
    promoted_ &= ~bit(s);
}

/// Removes the piece on `s` from the board; in Crazyhouse it goes to the captor's hand.
void VariantPosition::capture(Square s) {
    if (rules().drops) {
        const PieceType type = (promoted_ & bit(s)) != 0 ? PieceType::kPawn : type_of(board_[s]);
        if (type != PieceType::kKing) ++pockets_[index(side_)][index(type)];
    }
    remove(s);
    halfmove_ = 0;
}

/// Atomic: removes the captor and the pieces around it, except pawns.
void VariantPosition::explode(Square centre) {
    remove(centre);
    for (Bitboard near = king_attacks(centre) & occupied() & ~pieces(PieceType::kPawn);
         near != 0;) {
        remove(pop_lowest(near));
    }
}

/// Removes castling rights that have lost their rook or king. The king must be the only one on the
/// back rank, or it would not be clear which king may castle.
void VariantPosition::forget_lost_rights() {
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        const Bitboard rank = rank_mask(back_rank(c));
        const bool has_king = count(pieces(c, PieceType::kKing) & rank) == 1;
        castling_ &= ~rank | (has_king ? pieces(c, PieceType::kRook) : 0);
    }
}

inline void VariantPosition::drop(PieceType type, Square to) {
    put(make_piece(side_, type), to);
    --pockets_[index(side_)][index(type)];
    if (type == PieceType::kPawn) halfmove_ = 0;
}

inline void VariantPosition::castle(Square from, Square rook) {
    const bool short_side = rook > from;
    remove(from);
    remove(rook);
    put(make_piece(side_, PieceType::kKing), castled_king(side_, short_side));
    put(make_piece(side_, PieceType::kRook), castled_rook(side_, short_side));
    castling_ &= ~rank_mask(back_rank(side_));
}

/// Makes a move from square to square, other than castling.
inline void VariantPosition::move_piece(Move m) {
    const Square from = m.from();
    const Square to = m.to();
    const Piece moved = board_[from];
    const bool was_promoted = (promoted_ & bit(from)) != 0;
    bool captures = false;
    if (m.kind() == MoveKind::kEnPassant) {
        capture(to ^ 8U);
        captures = true;
    } else if (board_[to] != Piece::kNone) {
        capture(to);
        captures = true;
    }
    remove(from);
    put(moved, to);
    if (was_promoted) promoted_ |= bit(to);
    if (type_of(moved) == PieceType::kPawn) halfmove_ = 0;
    if (m.becomes() != PieceType::kNone) {
        remove(to);
        put(make_piece(side_, m.becomes()), to);
        if (rules().drops) promoted_ |= bit(to);
    }
    // Horde: a pawn that steps twice from the first rank cannot be taken in passing.
    if (m.kind() == MoveKind::kDoublePush && rank_of(from) != back_rank(side_)) {
        en_passant_ = to ^ 8U;
    }
    if (type_of(moved) == PieceType::kKing) castling_ &= ~rank_mask(back_rank(side_));
    castling_ &= ~(bit(from) | bit(to));
    if (captures && rules().captures_explode) explode(to);
}

void VariantPosition::make(Move m) {
    const Color us = side_;
    const Color them = ~us;
    en_passant_ = kNoSquare;
    ++halfmove_;
    fullmove_ += us == Color::kBlack ? 1U : 0U;

    switch (m.kind()) {
        case MoveKind::kNull: break;
        case MoveKind::kDrop: drop(static_cast<PieceType>(m.from()), m.to()); break;
        case MoveKind::kCastle: castle(m.from(), m.to()); break;
        default: move_piece(m);
    }
    forget_lost_rights();
    side_ = them;
    if (rules().counts_checks && is_attacked_king(them)) ++checks_[index(us)];
}

void VariantPosition::play(Move m) {
    make(m);
    settle();
}

/// Computes the members that depend on the others.
void VariantPosition::settle() {
    en_passant_legal_ = en_passant_ != kNoSquare && has_legal_en_passant();
    key_ = computed_key();
}

bool VariantPosition::is_attacked(Square s, Color by, Bitboard occupied) const {
    const Bitboard queens = pieces(PieceType::kQueen);
    return (pieces(by) & ((knight_attacks(s) & pieces(PieceType::kKnight)) |
                          (king_attacks(s) & pieces(PieceType::kKing)) |
                          (pawn_attacks(~by, s) & pieces(PieceType::kPawn)) |
                          (bishop_attacks(s, occupied) & (pieces(PieceType::kBishop) | queens)) |
                          (rook_attacks(s, occupied) & (pieces(PieceType::kRook) | queens)))) != 0;
}

bool VariantPosition::is_attacked_king(Color c) const {
    const Square s = king(c);
    if (s == kNoSquare || !rules().royal_kings) return false;
    // Adjacent kings cannot be captured: the captor would explode too.
    if (rules().captures_explode && (king_attacks(s) & pieces(~c, PieceType::kKing)) != 0) {
        return false;
    }
    return is_attacked(s, ~c, occupied());
}

bool VariantPosition::white_has_won_the_race() const {
    if (side_ == Color::kWhite) return true;
    // Black moved second and may still draw by reaching the eighth rank with the next move.
    Bitboard last_steps = king_attacks(king(Color::kBlack)) & rank_mask(7) & ~pieces(Color::kBlack);
    while (last_steps != 0) {
        if (!is_attacked(pop_lowest(last_steps), Color::kWhite, occupied())) return false;
    }
    return true;
}

bool VariantPosition::is_over() const {
    const auto bare = [&](Color c) { return pieces(c) == pieces(c, PieceType::kKing); };
    switch (rules().end) {
        case GameEnd::kNone: return false;
        case GameEnd::kThirdCheck: return std::max(checks_[0], checks_[1]) >= kChecksToWin;
        case GameEnd::kKingOnTheHill: return (pieces(PieceType::kKing) & kHill) != 0;
        case GameEnd::kNoPiecesLeft:
            return pieces(Color::kWhite) == 0 || pieces(Color::kBlack) == 0;
        case GameEnd::kBareKing: return bare(Color::kWhite) || bare(Color::kBlack);
        case GameEnd::kKingExploded: return count(pieces(PieceType::kKing)) < 2;
        case GameEnd::kHordeCaptured: return pieces(Color::kWhite) == 0;
        case GameEnd::kRaceOver:
            if ((pieces(Color::kBlack, PieceType::kKing) & rank_mask(7)) != 0) return true;
            return (pieces(Color::kWhite, PieceType::kKing) & rank_mask(7)) != 0 &&
                   white_has_won_the_race();
    }
    return false;
}

bool VariantPosition::castling_is_legal(Move m) const {
    if (!castling_is_free(*this, m)) return false;
    if (!rules().royal_kings) return true;
    const bool short_side = m.to() > m.from();
    const Square king_to = castled_king(side_, short_side);
    // An attack from next to the attacker's own king does not count: that king would explode too.
    const Bitboard safe = rules().captures_explode ? king_attacks(king(~side_)) : Bitboard{0};
    const auto attacked = [&](Square s, Bitboard occupied) {
        return (safe & bit(s)) == 0 && is_attacked(s, ~side_, occupied);
    };
    const Bitboard without_king = occupied() & ~bit(m.from());
    for (Bitboard path = between(m.from(), king_to) | bit(m.from()); path != 0;) {
        if (attacked(pop_lowest(path), without_king)) return false;
    }
    return !attacked(king_to, (without_king & ~bit(m.to())) | bit(castled_rook(side_, short_side)));
}

bool VariantPosition::is_legal(Move m) const {
    if (m.kind() == MoveKind::kNull) return !in_check();
    if (m.kind() == MoveKind::kCastle && !castling_is_legal(m)) return false;
    if (!rules().royal_kings) return true;
    VariantPosition after = *this;
    after.make(m);
    const Color us = side_;
    if (rules().captures_explode) {
        if (after.pieces(us, PieceType::kKing) == 0) return false;
        if (after.pieces(~us, PieceType::kKing) == 0) return true;
    }
    if (after.is_attacked_king(us)) return false;
    return rules().checks_allowed || !after.is_attacked_king(~us);
}

bool VariantPosition::has_legal_en_passant() const {
    if (is_over()) return false;
    Bitboard from = pawn_attacks(~side_, en_passant_) & pieces(side_, PieceType::kPawn);
    while (from != 0) {
        if (is_legal(Move(pop_lowest(from), en_passant_, MoveKind::kEnPassant))) return true;
    }
    return false;
}

std::uint64_t VariantPosition::computed_key() const {
    std::uint64_t key = zobrist::variant(variant_);
    for (Bitboard all = occupied(); all != 0;) {
        const Square s = pop_lowest(all);
        key ^= zobrist::piece(board_[s], s);
    }
    for (Bitboard rooks = castling_; rooks != 0;) key ^= zobrist::inner_castling(pop_lowest(rooks));
    if (side_ == Color::kWhite) key ^= zobrist::white_to_move();
    if (en_passant_legal_) key ^= zobrist::en_passant(file_of(en_passant_));
    for (Bitboard squares = promoted_; squares != 0;) key ^= zobrist::promoted(pop_lowest(squares));
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        for (unsigned t = 0; t < 5; ++t) {
            key ^= zobrist::pocket(make_piece(c, static_cast<PieceType>(t)), pockets_[index(c)][t]);
        }
        key ^= zobrist::checks_given(c, checks_[index(c)]);
    }
    return key;
}

bool VariantPosition::same_as(const VariantPosition& other) const {
    return variant_ == other.variant_ && std::memcmp(board_, other.board_, sizeof board_) == 0 &&
           side_ == other.side_ && castling_ == other.castling_ && promoted_ == other.promoted_ &&
           en_passant_legal_ == other.en_passant_legal_ &&
           (!en_passant_legal_ || en_passant_ == other.en_passant_) &&
           std::memcmp(pockets_, other.pockets_, sizeof pockets_) == 0 &&
           std::memcmp(checks_, other.checks_, sizeof checks_) == 0;
}

}  // namespace fendex::chess
