#include "chess/setup.hpp"

#include "chess/san.hpp"

namespace fendex::chess {

namespace {

std::string square_name(Square s) {
    std::string name;
    append_square(s, name);
    return name;
}

std::string owner(Color c) { return std::string(name_of(c)); }

/// Returns what is wrong with the number of a side's kings; empty if nothing is.
std::string kings_error(const VariantRules& rules, Color c, unsigned kings) {
    if (!rules.royal_kings) return {};
    if (rules.white_is_a_horde && c == Color::kWhite) {
        return kings == 0 ? "" : "white has a king, but a horde has none";
    }
    if (kings == 0 && rules.end == GameEnd::kKingExploded) return {};
    if (kings == 0) return owner(c) + " has no king";
    if (kings > 1) return owner(c) + " has " + std::to_string(kings) + " kings";
    return {};
}

std::string pawns_error(const VariantRules& rules, Color c, Bitboard pawns) {
    const bool horde = rules.white_is_a_horde && c == Color::kWhite;
    const Bitboard forbidden = horde ? rank_mask(7) : rank_mask(0) | rank_mask(7);
    if (const Bitboard wrong = pawns & forbidden; wrong != 0) {
        return "pawn on " + square_name(lowest(wrong));
    }
    if (count(pawns) > 8 && !horde && !rules.drops) {
        return owner(c) + " has " + std::to_string(count(pawns)) + " pawns";
    }
    return {};
}

std::string side_error(const VariantSetup& setup, const VariantRules& rules, Color c,
                       unsigned pieces) {
    const Bitboard kings = squares_of(setup, make_piece(c, PieceType::kKing));
    const Bitboard pawns = squares_of(setup, make_piece(c, PieceType::kPawn));
    if (std::string error = kings_error(rules, c, count(kings)); !error.empty()) return error;
    if (std::string error = pawns_error(rules, c, pawns); !error.empty()) return error;
    const bool horde = rules.white_is_a_horde && c == Color::kWhite;
    if (pieces > 16 && !horde && !rules.drops) {
        return owner(c) + " has " + std::to_string(pieces) + " pieces";
    }
    if ((setup.promoted & (pawns | kings)) != 0) {
        return "a pawn or king that is marked as promoted";
    }
    return {};
}

FenError check_error(Color waiting) {
    return {"position", owner(waiting) + " is in check, and it is " + owner(~waiting) + "'s move"};
}

}  // namespace

std::string_view name_of(Color c) { return c == Color::kWhite ? "white" : "black"; }

Bitboard squares_of(const Setup& setup, Piece piece) {
    Bitboard squares = 0;
    for (Square s = 0; s < 64; ++s) {
        if (setup.board[s] == piece) squares |= bit(s);
    }
    return squares;
}

std::optional<FenError> placement_error(const VariantSetup& setup, Variant variant) {
    const VariantRules& rules = rules_of(variant);
    unsigned all = 0;
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        unsigned pieces = 0;
        for (const Piece p : setup.board) {
            pieces += p != Piece::kNone && color_of(p) == c ? 1U : 0U;
        }
        if (std::string error = side_error(setup, rules, c, pieces); !error.empty()) {
            return FenError{"placement", std::move(error)};
        }
        all += pieces;
        for (const std::uint8_t in_hand : setup.pockets[index(c)]) all += in_hand;
    }
    if (rules.drops && all > 32) {
        return FenError{"placement",
                        std::to_string(all) + " pieces on the board and in the pockets"};
    }
    return std::nullopt;
}

std::string_view why_no_castling(const Setup& setup, Color c) {
    const Bitboard kings =
        rank_mask(back_rank(c)) & squares_of(setup, make_piece(c, PieceType::kKing));
    if (kings == 0) return "the king is not on its back rank";
    if (more_than_one(kings)) return "several kings on the back rank";
    return {};
}

bool castling_is_possible(const Setup& setup) {
    Bitboard possible = 0;
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        const Bitboard rank = rank_mask(back_rank(c));
        const Bitboard named = setup.castling & rank;
        if (named == 0) continue;
        if (!why_no_castling(setup, c).empty()) return false;
        const Bitboard king = rank & squares_of(setup, make_piece(c, PieceType::kKing));
        const Bitboard queen_side = named & (king - 1);
        if (more_than_one(queen_side) || more_than_one(named & ~queen_side)) return false;
        possible |= rank & squares_of(setup, make_piece(c, PieceType::kRook));
    }
    return (setup.castling & ~possible) == 0;
}

std::string why_no_en_passant(const Setup& setup, Square square) {
    const bool white = setup.side == Color::kWhite;
    if (rank_of(square) != (white ? 5U : 2U)) return white ? "not on rank 6" : "not on rank 3";
    const Square pushed = square ^ 8U;
    const Square origin = square ^ 24U;
    if (setup.board[pushed] != make_piece(~setup.side, PieceType::kPawn)) {
        return "no " + owner(~setup.side) + " pawn on " + square_name(pushed);
    }
    for (const Square passed : {square, origin}) {
        if (setup.board[passed] != Piece::kNone) {
            return "the pawn cannot have come over " + square_name(passed);
        }
    }
    return {};
}

std::optional<FenError> position_error(const Position& position) {
    const Color waiting = ~position.side_to_move();
    const Square king = position.king(waiting);
    if (position.attackers(king, ~waiting, position.occupied()) == 0) return std::nullopt;
    return check_error(waiting);
}

std::optional<FenError> position_error(const VariantPosition& position) {
    const VariantRules& rules = position.rules();
    const Color waiting = ~position.side_to_move();
    // A move that explodes the other king may leave its own in check.
    const bool exploded = rules.captures_explode && position.is_over();
    if (!exploded && position.is_attacked_king(waiting)) return check_error(waiting);
    if (!rules.checks_allowed && position.in_check()) {
        return FenError{"position", "a check, which Racing Kings does not allow"};
    }
    return std::nullopt;
}

template <Board B>
VariantSetup setup_of(const B& position) {
    VariantSetup setup;
    for (Square s = 0; s < 64; ++s) setup.board[s] = position.piece_on(s);
    setup.side = position.side_to_move();
    setup.castling = position.castling_rooks();
    setup.en_passant = position.en_passant_square();
    setup.halfmove = position.halfmove_clock();
    setup.fullmove = position.fullmove_number();
    if constexpr (std::same_as<B, VariantPosition>) {
        setup.promoted = position.promoted();
        for (const Color c : {Color::kWhite, Color::kBlack}) {
            for (unsigned t = 0; t < index(PieceType::kKing); ++t) {
                setup.pockets[index(c)][t] =
                    static_cast<std::uint8_t>(position.pocket(c, static_cast<PieceType>(t)));
            }
            setup.checks[index(c)] = static_cast<std::uint8_t>(position.checks_given(c));
        }
    }
    return setup;
}

template VariantSetup setup_of(const Position&);
template VariantSetup setup_of(const VariantPosition&);

}  // namespace fendex::chess
