// Compares every attack set with a walk over the squares, one step at a time.
#include "chess/attacks.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

namespace {

using namespace fendex::chess;

struct Direction {
    int file;
    int rank;
};

const std::vector<Direction> kStraight = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
const std::vector<Direction> kSlanting = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
const std::vector<Direction> kKnightSteps = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                             {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

Bitboard walk(Square from, const std::vector<Direction>& directions, int steps, Bitboard occupied) {
    Bitboard reached = 0;
    for (const Direction d : directions) {
        int file = static_cast<int>(file_of(from));
        int rank = static_cast<int>(rank_of(from));
        for (int i = 0; i < steps; ++i) {
            file += d.file;
            rank += d.rank;
            if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
            const Bitboard next =
                bit(make_square(static_cast<unsigned>(file), static_cast<unsigned>(rank)));
            reached |= next;
            if ((occupied & next) != 0) break;
        }
    }
    return reached;
}

std::vector<Direction> everywhere() {
    std::vector<Direction> all = kStraight;
    all.insert(all.end(), kSlanting.begin(), kSlanting.end());
    return all;
}

}  // namespace

TEST_CASE("Knights, kings and pawns attack what their steps reach") {
    for (Square s = 0; s < 64; ++s) {
        CAPTURE(s);
        CHECK(knight_attacks(s) == walk(s, kKnightSteps, 1, 0));
        CHECK(king_attacks(s) == walk(s, everywhere(), 1, 0));
        CHECK(pawn_attacks(Color::kWhite, s) == walk(s, {{-1, 1}, {1, 1}}, 1, 0));
        CHECK(pawn_attacks(Color::kBlack, s) == walk(s, {{-1, -1}, {1, -1}}, 1, 0));
        CHECK(bishop_rays(s) == walk(s, kSlanting, 7, 0));
        CHECK(rook_rays(s) == walk(s, kStraight, 7, 0));
    }
}

TEST_CASE("Sliding pieces stop at the first piece in their way") {
    std::mt19937_64 random(1);
    for (unsigned round = 0; round < 2000; ++round) {
        // From a crowded board to an empty one.
        Bitboard occupied = random();
        for (unsigned i = 0; i < round % 6; ++i) occupied &= random();
        for (Square s = 0; s < 64; ++s) {
            const Bitboard straight = walk(s, kStraight, 7, occupied);
            const Bitboard slanting = walk(s, kSlanting, 7, occupied);
            const bool equal = rook_attacks(s, occupied) == straight &&
                               bishop_attacks(s, occupied) == slanting &&
                               attacks(PieceType::kRook, s, occupied) == straight &&
                               attacks(PieceType::kBishop, s, occupied) == slanting &&
                               attacks(PieceType::kQueen, s, occupied) == (straight | slanting);
            if (!equal) FAIL("square " << s << ", occupied " << occupied);
        }
    }
    SUCCEED();
}

TEST_CASE("between() gives the squares that lie between two squares of a line") {
    for (Square a = 0; a < 64; ++a) {
        for (Square b = 0; b < 64; ++b) {
            Bitboard expected = 0;
            if (a != b) {
                for (const Direction d : everywhere()) {
                    // The squares from a up to b, if a sees b.
                    const Bitboard seen = walk(a, {d}, 7, bit(b));
                    if ((seen & bit(b)) != 0) expected = seen & ~bit(b);
                }
            }
            if (between(a, b) != expected) FAIL(a << " to " << b);
        }
    }
    SUCCEED();
}
