// A pattern describes a position partly: a partial board, material, or both. It is compiled into a
// few masks, so that testing a position takes a handful of operations on bitboards. Plain values;
// any thread may use them.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "chess/types.hpp"
#include "codec/game_signature.hpp"

namespace fendex::query {

/// The conditions of a pattern, square by square and piece by piece.
struct PatternSpec {
    /// Kinds of content of a square, as bits: the pieces, numbered as chess::Piece, and empty.
    using Kinds = std::uint16_t;
    static constexpr Kinds kind(unsigned piece) { return static_cast<Kinds>(1U << piece); }
    static constexpr Kinds kBlack = 0x555;
    static constexpr Kinds kWhite = 0xAAA;
    static constexpr Kinds kPieces = kBlack | kWhite;
    static constexpr Kinds kEmpty = 1U << 12;
    static constexpr Kinds kAnything = kPieces | kEmpty;
    static constexpr unsigned kPieceKinds = 12;

    /// Sets of numbers of pieces: bit n stands for n.
    using Numbers = std::uint64_t;
    static constexpr Numbers exactly(unsigned n) { return n >= 64 ? 0 : Numbers{1} << n; }
    static constexpr Numbers fewer_than(unsigned n) {
        return n >= 64 ? ~Numbers{0} : (Numbers{1} << n) - 1;
    }

    /// How many more pieces of a type White has than Black: `least` to `most`, or any other number
    /// if `outside` is set.
    struct Difference {
        chess::PieceType type;
        int least;
        int most;
        bool outside;
    };

    std::array<Kinds, 64> squares;             // what each square may hold
    std::array<Numbers, kPieceKinds> numbers;  // how many of each piece there may be
    std::vector<Difference> differences;
    /// Each side has one bishop, and they stand on squares of different colours.
    bool opposite_bishops = false;

    /// Makes a spec without conditions.
    PatternSpec() {
        squares.fill(kAnything);
        numbers.fill(~Numbers{0});
    }
    /// Returns the spec for the other side: the board upside down, with colours exchanged.
    PatternSpec mirrored() const;
};

/// A spec, compiled into masks.
class PatternCase {
  public:
    explicit PatternCase(const PatternSpec& spec);

    /// Returns whether the material matches: numbers of pieces, and the colours of the squares that
    /// bishops move on. It changes only with captures and promotions.
    template <typename Board>
    bool material_matches(const Board& board) const {
        for (const Number& n : numbers_) {
            if ((n.allowed >> chess::count(board.pieces(n.color, n.type)) & 1U) == 0) return false;
        }
        for (const PatternSpec::Difference& d : differences_) {
            const auto of = [&](chess::Color color) {
                return static_cast<int>(chess::count(board.pieces(color, d.type)));
            };
            const int difference = of(chess::Color::kWhite) - of(chess::Color::kBlack);
            if ((d.least <= difference && difference <= d.most) == d.outside) return false;
        }
        return !opposite_bishops_ || has_opposite_bishops(board);
    }
    template <typename Board>
    bool squares_match(const Board& board) const {
        for (const Test& t : tests_) {
            const chess::Bitboard of_color = (board.pieces(chess::Color::kWhite) & t.white) |
                                             (board.pieces(chess::Color::kBlack) & t.black);
            if ((of_color & (board.pieces(t.type) | t.any_type) & t.mask) != t.wanted) return false;
        }
        return true;
    }
    /// Returns the condition that the signature of every matching game meets.
    [[nodiscard]] const codec::SignatureCondition& condition() const { return condition_; }
    /// Returns false if no later position can match: pieces come back only by promotion, and pawns
    /// never move back. The result changes only with captures and pawn moves.
    template <typename Board>
    bool may_come(const Board& board) const {
        for (const PawnOrigin& p : origins_) {
            if ((board.pieces(p.color, chess::PieceType::kPawn) & p.squares) == 0) return false;
        }
        for (const Number& n : numbers_) {
            const chess::Bitboard pawns = board.pieces(n.color, chess::PieceType::kPawn);
            const unsigned most = chess::count(board.pieces(n.color, n.type) | pawns);
            if ((n.allowed & PatternSpec::fewer_than(most + 1)) == 0) return false;
        }
        return true;
    }

  private:
    /// Among the squares of `mask`, the pieces of these colours and this type (or of any type) must
    /// be on exactly the squares of `wanted`.
    struct Test {
        chess::Bitboard mask = 0;
        chess::Bitboard wanted = 0;
        chess::Bitboard white = 0;  // all squares or none
        chess::Bitboard black = 0;
        chess::Bitboard any_type = 0;
        chess::PieceType type = chess::PieceType::kPawn;
    };
    struct Number {
        chess::Color color;
        chess::PieceType type;
        PatternSpec::Numbers allowed;
    };
    /// A pawn must stand on at least one of these squares; otherwise no pawn can reach a certain
    /// square of the pattern any more.
    struct PawnOrigin {
        chess::Color color;
        chess::Bitboard squares;
    };

    template <typename Board>
    static bool has_opposite_bishops(const Board& board) {
        constexpr chess::Bitboard kLight = 0x55AA'55AA'55AA'55AA;
        const chess::Bitboard white = board.pieces(chess::Color::kWhite, chess::PieceType::kBishop);
        const chess::Bitboard black = board.pieces(chess::Color::kBlack, chess::PieceType::kBishop);
        return chess::count(white) == 1 && chess::count(black) == 1 &&
               ((white & kLight) == 0) != ((black & kLight) == 0);
    }
    void compile_squares(const std::array<PatternSpec::Kinds, 64>& squares);

    std::vector<Test> tests_;
    std::vector<Number> numbers_;
    std::vector<PatternSpec::Difference> differences_;
    std::vector<PawnOrigin> origins_;
    bool opposite_bishops_;
    codec::SignatureCondition condition_;
};

class PositionPattern {
  public:
    explicit PositionPattern(std::vector<PatternCase> cases) : cases_(std::move(cases)) {}

    template <typename Board>
    bool matches(const Board& board) const {
        return squares_match(board, material_cases(board));
    }
    /// The two steps of matches(): material_cases() returns the cases whose material matches the
    /// board, as bits; squares_match() returns whether the squares of one of these cases match.
    template <typename Board>
    unsigned material_cases(const Board& board) const {
        unsigned out = 0;
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            if (cases_[i].material_matches(board)) out |= 1U << i;
        }
        return out;
    }
    template <typename Board>
    bool squares_match(const Board& board, unsigned cases) const {
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            if ((cases >> i & 1U) != 0 && cases_[i].squares_match(board)) return true;
        }
        return false;
    }
    /// Returns conditions, at least one of which holds for every matching game.
    [[nodiscard]] std::vector<codec::SignatureCondition> conditions() const {
        std::vector<codec::SignatureCondition> out;
        for (const PatternCase& each : cases_) out.push_back(each.condition());
        return out;
    }
    /// Returns false if no later position can match.
    template <typename Board>
    bool may_come(const Board& board) const {
        for (const PatternCase& each : cases_) {
            if (each.may_come(board)) return true;
        }
        return false;
    }

  private:
    std::vector<PatternCase> cases_;  // one or two
};

}  // namespace fendex::query
