#include "query/position_pattern.hpp"

#include <bit>

namespace fendex::query {

using chess::Bitboard;
using chess::Color;
using chess::PieceType;

namespace {

using Kinds = PatternSpec::Kinds;

constexpr Bitboard kAllSquares = ~Bitboard{0};

/// Returns the numbers of a piece that the squares allow: at least the number of squares that must
/// hold it, at most the number of squares that may hold it.
std::uint64_t implied_numbers(const std::array<Kinds, 64>& squares, unsigned piece) {
    unsigned must = 0;
    unsigned may = 0;
    for (const Kinds kinds : squares) {
        if (kinds == PatternSpec::kind(piece)) ++must;
        if ((kinds & PatternSpec::kind(piece)) != 0) ++may;
    }
    return PatternSpec::fewer_than(may + 1) & ~PatternSpec::fewer_than(must);
}

/// Returns `square` and the squares from which a pawn can have come to it.
Bitboard pawn_origins(Color color, chess::Square square) {
    Bitboard out = 0;
    for (Bitboard row = chess::bit(square); row != 0;) {
        out |= row;
        row |= (row & ~chess::file_mask(0)) >> 1 | (row & ~chess::file_mask(7)) << 1;
        row = color == Color::kWhite ? row >> 8 : row << 8;
    }
    return out;
}

constexpr unsigned kAnyColor = 2;
constexpr unsigned kAnyType = 6;

/// The test of a set of pieces, which have one colour or both, and one type or all: one of them
/// must be on each square of `wanted`, none on the other squares of `mask`.
struct Masks {
    Bitboard mask = 0;
    Bitboard wanted = 0;

    void require(Bitboard square) {
        mask |= square;
        wanted |= square;
    }
};
using SquareMasks = std::array<std::array<Masks, 7>, 3>;  // by colour and type

SquareMasks masks_of(const std::array<Kinds, 64>& squares) {
    SquareMasks masks;
    for (chess::Square s = 0; s < 64; ++s) {
        const Kinds kinds = squares[s];
        const Bitboard square = chess::bit(s);
        if (kinds == PatternSpec::kAnything) continue;
        if (std::has_single_bit(kinds) && kinds != PatternSpec::kEmpty) {
            const auto piece = static_cast<unsigned>(std::countr_zero(kinds));
            masks[piece & 1U][piece >> 1].require(square);
        } else if (kinds == PatternSpec::kBlack || kinds == PatternSpec::kWhite) {
            masks[kinds == PatternSpec::kWhite ? 1 : 0][kAnyType].require(square);
        } else {
            Masks& any = masks[kAnyColor][kAnyType];
            if (kinds == PatternSpec::kEmpty) any.mask |= square;
            if ((kinds & PatternSpec::kEmpty) == 0) any.require(square);
            if (kinds == PatternSpec::kEmpty || kinds == PatternSpec::kPieces) continue;
            for (unsigned piece = 0; piece < 12; ++piece) {
                if ((kinds & PatternSpec::kind(piece)) == 0)
                    masks[piece & 1U][piece >> 1].mask |= square;
            }
        }
    }
    return masks;
}

}  // namespace

PatternSpec PatternSpec::mirrored() const {
    const auto swapped = [](Kinds kinds) {
        return static_cast<Kinds>((kinds & kEmpty) | (kinds & kBlack) << 1 | (kinds & kWhite) >> 1);
    };
    PatternSpec out;
    for (chess::Square s = 0; s < 64; ++s) out.squares[s ^ 56U] = swapped(squares[s]);
    for (unsigned piece = 0; piece < kPieceKinds; ++piece) {
        out.numbers[piece ^ 1U] = numbers[piece];
    }
    for (const Difference& each : differences) {
        out.differences.push_back({each.type, -each.most, -each.least, each.outside});
    }
    out.opposite_bishops = opposite_bishops;
    return out;
}

PatternCase::PatternCase(const PatternSpec& spec)
    : differences_(spec.differences), opposite_bishops_(spec.opposite_bishops) {
    // A side has at most 16 pieces in standard chess (chess/fen.hpp). If 0 to 16 are all allowed,
    // the number need not be tested. Kings are tested only if the spec limits their number.
    constexpr std::uint64_t kNumbers = PatternSpec::fewer_than(17);
    for (unsigned piece = 0; piece < PatternSpec::kPieceKinds; ++piece) {
        const std::uint64_t allowed = spec.numbers[piece] & implied_numbers(spec.squares, piece);
        const bool tells = (allowed & kNumbers) != kNumbers && piece < codec::kCountedPieces;
        if (!tells && spec.numbers[piece] == ~PatternSpec::Numbers{0}) continue;
        const auto as_piece = static_cast<chess::Piece>(piece);
        numbers_.push_back({chess::color_of(as_piece), chess::type_of(as_piece), allowed});
        if (piece < codec::kCountedPieces) condition_.counts.push_back({piece, allowed});
    }
    compile_squares(spec.squares);
}

void PatternCase::compile_squares(const std::array<Kinds, 64>& squares) {
    const SquareMasks masks = masks_of(squares);
    // Tests that fail most often come first: those for pieces that must be there come before the
    // others, and in both groups pawns come after the other types.
    constexpr unsigned kTypes[] = {1, 2, 3, 4, 5, 0, kAnyType};
    for (const bool wanted : {true, false}) {
        for (const unsigned type : kTypes) {
            for (unsigned color = 0; color <= kAnyColor; ++color) {
                const Masks& m = masks[color][type];
                if (m.mask == 0 || (m.wanted != 0) != wanted) continue;
                Test test;
                test.mask = m.mask;
                test.wanted = m.wanted;
                test.black = color != 1 ? kAllSquares : 0;
                test.white = color != 0 ? kAllSquares : 0;
                test.any_type = type == kAnyType ? kAllSquares : 0;
                test.type = type == kAnyType ? PieceType::kPawn : static_cast<PieceType>(type);
                tests_.push_back(test);
            }
        }
    }

    for (const Color color : {Color::kBlack, Color::kWhite}) {
        (color == Color::kWhite ? condition_.white_pawns : condition_.black_pawns) =
            masks[chess::index(color)][0].wanted & codec::followed_pawn_squares(color);
        for (Bitboard rest = masks[chess::index(color)][0].wanted; rest != 0;) {
            origins_.push_back({color, pawn_origins(color, chess::pop_lowest(rest))});
        }
    }
}

}  // namespace fendex::query
