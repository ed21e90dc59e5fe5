#include "query/position_match.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "chess/fen.hpp"
#include "chess/variant_names.hpp"

namespace fendex::query {

namespace {

using chess::AnyPosition;
using chess::Color;
using chess::Piece;
using chess::PieceType;
using chess::Square;

/// The fields of a FEN, of which new positions are put together: what a position may be is decided
/// in one place, by who reads FENs.
std::vector<std::string> fields_of(const AnyPosition& position) {
    std::vector<std::string> fields(1);
    for (const char c : chess::to_fen(position, chess::FenDialect::kShredder)) {
        if (c == ' ') {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

/// The sets of rights one side can have: none or one rook on either side of its king, as Shredder
/// FEN writes them.
template <typename Position>
std::vector<std::string> possible_rights(const Position& position, Color side) {
    const Square king = position.king(side);
    const unsigned rank = chess::back_rank(side);
    std::array<std::vector<std::string>, 2> rooks{{{""}, {""}}};
    if (chess::rank_of(king) == rank) {
        for (unsigned file = 0; file < 8; ++file) {
            const Square s = chess::make_square(file, rank);
            if (position.piece_on(s) != chess::make_piece(side, PieceType::kRook)) continue;
            const char letter = static_cast<char>((side == Color::kWhite ? 'A' : 'a') + file);
            rooks[s > king ? 1 : 0].push_back(std::string(1, letter));
        }
    }
    std::vector<std::string> rights;
    for (const std::string& left : rooks[0]) {
        for (const std::string& right : rooks[1]) rights.push_back(right + left);
    }
    return rights;
}

/// Squares that a pawn may have passed with the last move, and none; who reads the FEN knows.
template <typename Position>
std::vector<std::string> possible_en_passant(const Position& position, Color to_move) {
    const bool white = to_move == Color::kWhite;
    const Piece pawn = chess::make_piece(~to_move, PieceType::kPawn);
    std::vector<std::string> squares{"-"};
    for (unsigned file = 0; file < 8; ++file) {
        if (position.piece_on(chess::make_square(file, white ? 4 : 3)) != pawn) continue;
        squares.push_back({static_cast<char>('a' + file), white ? '6' : '3'});
    }
    return squares;
}

/// The position that a FEN of the same variant as another is; empty where it is none.
std::optional<AnyPosition> position_like(const AnyPosition& other, const std::string& fen) {
    return chess::any_position(chess::parse_any_fen(fen, other.variant()));
}

/// Every side to move, castling rights and en passant square that the placement allows. Pockets and
/// checks stay as they are.
template <typename Position>
void add_boards(const Position& position, std::vector<Target>& targets) {
    const AnyPosition asked = position;
    const std::vector<std::string> fields = fields_of(asked);
    const std::string checks = fields.size() > 6 ? ' ' + fields[6] : "";
    const auto add = [&](const std::string& fen) {
        const std::optional<AnyPosition> found = position_like(asked, fen);
        if (!found) return;
        const auto same = [&](const Target& t) { return t.position.same_as(*found); };
        if (std::none_of(targets.begin(), targets.end(), same)) targets.push_back({*found, false});
    };
    for (const Color side : {Color::kWhite, Color::kBlack}) {
        const std::string to_move = side == Color::kWhite ? " w " : " b ";
        for (const std::string& white : possible_rights(position, Color::kWhite)) {
            for (const std::string& black : possible_rights(position, Color::kBlack)) {
                const std::string rights = white + black;
                for (const std::string& square : possible_en_passant(position, side)) {
                    add(fields[0] + to_move + (rights.empty() ? "-" : rights) + ' ' + square +
                        " 0 1" + checks);
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
    throw std::invalid_argument("'" + std::string(name) + "' is none of exact, board and mirrored");
}

std::string reason_against(Match match, chess::Variant variant) {
    const bool mirrors =
        variant != chess::Variant::kHorde && variant != chess::Variant::kRacingKings;
    if (match != Match::kMirrored || mirrors) return {};
    return "match mirrored: colours cannot be exchanged in " +
           std::string(chess::name_of(variant)) + ", where the sides do not mirror each other";
}

std::vector<Target> targets_of(const AnyPosition& position, Match match) {
    if (const std::string reason = reason_against(match, position.variant()); !reason.empty()) {
        throw std::invalid_argument(reason);
    }
    std::vector<Target> targets{{position, false}};
    if (match == Match::kMirrored) {
        const AnyPosition other = mirrored(position);
        if (!other.same_as(position)) targets.push_back({other, true});
    }
    if (match == Match::kBoard) {
        position.visit([&](const auto& p) { add_boards(p, targets); });
    }
    return targets;
}

AnyPosition mirrored(const AnyPosition& position) {
    const std::vector<std::string> fields = fields_of(position);
    const auto swap_case = [](std::string text) {
        for (char& c : text) {
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) c = static_cast<char>(c ^ 0x20);
        }
        return text;
    };
    // The eighth rank first; behind the first one stands a pocket, where there is one.
    std::string_view rest = fields[0];
    std::string placement;
    for (unsigned rank = 0; rank < 8; ++rank) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        placement = std::string(rest.substr(0, end)) + (rank == 0 ? "" : "/") + placement;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (position.variant() == chess::Variant::kCrazyhouse) placement.append("/").append(rest);
    std::string square = fields[3];
    if (square != "-") square[1] = square[1] == '3' ? '6' : '3';
    std::string fen = swap_case(placement) + (fields[1] == "w" ? " b " : " w ") +
                      swap_case(fields[2]) + ' ' + square + ' ' + fields[4] + ' ' + fields[5];
    if (fields.size() > 6) fen += {' ', '+', fields[6][3], '+', fields[6][1]};
    const std::optional<AnyPosition> other = position_like(position, fen);
    // What is a position is one with colours exchanged.
    if (!other) throw std::logic_error("mirrored: no position: " + fen);
    return *other;
}

chess::Move mirrored(chess::Move move) {
    if (move.kind() == chess::MoveKind::kNull) return move;
    const bool is_drop = move.kind() == chess::MoveKind::kDrop;
    return {is_drop ? move.from() : move.from() ^ 56U, move.to() ^ 56U, move.kind()};
}

}  // namespace fendex::query
