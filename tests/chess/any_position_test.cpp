#include "chess/any_position.hpp"

#include <catch2/catch.hpp>

#include "chess/fen.hpp"

namespace {

using namespace fendex::chess;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

AnyPosition position_of(const std::string& fen) {
    return *any_position(parse_any_fen(fen, std::nullopt));
}

}  // namespace

TEST_CASE("Positions of Chess960 and those without legal moves are told apart") {
    CHECK_FALSE(has_chess960_rights(position_of(kStart)));
    CHECK(has_chess960_rights(position_of("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1")));
    CHECK(has_chess960_rights(position_of("3k3r/8/8/8/8/8/8/4K3 b h - 0 1")));
    CHECK_FALSE(has_chess960_rights(position_of("3k3r/8/8/8/8/8/8/4K3 b - - 0 1")));
    CHECK(count_legal_moves(position_of(kStart)) == 20);
    CHECK(count_legal_moves(position_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")) == 0);
    CHECK(count_legal_moves(position_of("6rk/6pp/7N/8/8/8/8/K7 b - - 0 1")) > 0);
    CHECK(count_legal_moves(
              position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0+3 0 1")) == 0);
}
