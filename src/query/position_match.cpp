#include "query/position_match.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>

#include "chess/mirrored.hpp"
#include "chess/variant_names.hpp"

namespace fendex::query {

namespace {

using chess::AnyPosition;
using chess::Bitboard;
using chess::Color;
using chess::Piece;
using chess::PieceType;
using chess::Square;

/// Returns the sets of castling rights that one side can have: no rook or one rook on each side of
/// its king.
template <typename Position>
std::vector<Bitboard> possible_rights(const Position& position, Color side) {
    const Square king = position.king(side);
    const unsigned rank = chess::back_rank(side);
    std::array<std::vector<Bitboard>, 2> rooks{{{0}, {0}}};
    if (chess::rank_of(king) == rank) {
        for (unsigned file = 0; file < 8; ++file) {
            const Square s = chess::make_square(file, rank);
            if (position.piece_on(s) != chess::make_piece(side, PieceType::kRook)) continue;
            rooks[s > king ? 1 : 0].push_back(chess::bit(s));
        }
    }
    std::vector<Bitboard> rights;
    for (const Bitboard left : rooks[0]) {
        for (const Bitboard right : rooks[1]) rights.push_back(right | left);
    }
    return rights;
}

/// Returns kNoSquare and the squares that a pawn may have passed with the last move.
template <typename Position>
std::vector<Square> possible_en_passant(const Position& position, Color to_move) {
    const bool white = to_move == Color::kWhite;
    const Piece pawn = chess::make_piece(~to_move, PieceType::kPawn);
    std::vector<Square> squares{chess::kNoSquare};
    for (unsigned file = 0; file < 8; ++file) {
        if (position.piece_on(chess::make_square(file, white ? 4 : 3)) != pawn) continue;
        squares.push_back(chess::make_square(file, white ? 5 : 2));
    }
    return squares;
}

/// Adds all positions with this placement that `positions` does not have yet: with every side to
/// move, castling rights and en passant square that the placement allows. Pockets and counts of
/// checks stay as they are.
template <typename Position>
void add_boards(const Position& position, std::vector<MatchingPosition>& positions) {
    const chess::Variant variant = AnyPosition(position).variant();
    chess::VariantSetup setup = chess::setup_of(position);
    setup.halfmove = 0;
    setup.fullmove = 1;
    const auto add = [&] {
        const std::optional<AnyPosition> found = chess::any_position(variant, setup);
        if (!found) return;
        const auto same = [&](const MatchingPosition& p) { return p.position.same_as(*found); };
        if (std::ranges::none_of(positions, same)) positions.push_back({*found, false});
    };
    for (const Color side : {Color::kWhite, Color::kBlack}) {
        setup.side = side;
        for (const Bitboard white : possible_rights(position, Color::kWhite)) {
            for (const Bitboard black : possible_rights(position, Color::kBlack)) {
                setup.castling = white | black;
                for (const Square square : possible_en_passant(position, side)) {
                    setup.en_passant = square;
                    add();
                }
            }
        }
    }
}

}  // namespace

Match match_of(std::string_view name) {
    if (name == "exact") return Match::kExact;
    if (name == "board") return Match::kBoard;
    if (name == "mirrored") return Match::kMirrored;
    throw std::invalid_argument("'" + std::string(name) +
                                "' is not one of exact, board and mirrored");
}

std::string reason_against(Match match, chess::Variant variant) {
    if (match != Match::kMirrored || chess::rules_of(variant).sides_mirror) return {};
    return "match mirrored: colours cannot be exchanged in " +
           std::string(chess::name_of(variant)) + ", because the sides do not mirror each other";
}

std::vector<MatchingPosition> matching_positions(const AnyPosition& position, Match match) {
    if (const std::string reason = reason_against(match, position.variant()); !reason.empty()) {
        throw std::invalid_argument(reason);
    }
    std::vector<MatchingPosition> positions{{position, false}};
    if (match == Match::kMirrored) {
        const AnyPosition other = chess::mirrored(position);
        if (!other.same_as(position)) positions.push_back({other, true});
    }
    if (match == Match::kBoard) {
        position.visit([&](const auto& p) { add_boards(p, positions); });
    }
    return positions;
}

}  // namespace fendex::query
