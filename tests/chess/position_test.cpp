#include "chess/position.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "chess/fen.hpp"
#include "chess/random_play.hpp"
#include "chess/san.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex::chess;
using fendex::test::any_start;
using fendex::test::Random;
using fendex::test::random_game;

Position position_of(const std::string& fen) {
    const FenResult result = parse_fen(fen);
    INFO(fen << ": " << result.error.field << ": " << result.error.reason);
    REQUIRE(result.position);
    return *result.position;
}

void play(Position& position, const std::string& moves) {
    std::istringstream words(moves);
    for (std::string san; words >> san;) {
        SanMove parsed;
        Move move;
        INFO(san << " in " << to_fen(position));
        REQUIRE(parse_san(san, parsed) == SanError::kNone);
        REQUIRE(resolve_san(position, parsed, move) == SanError::kNone);
        position.play(move);
        REQUIRE(position.key() == position.computed_key());
    }
}

std::string fen_after(const std::string& fen, const std::string& moves) {
    Position position = position_of(fen);
    play(position, moves);
    return to_fen(position);
}

std::string castling_field(const Position& position) {
    std::istringstream words(to_epd(position));
    std::string field;
    words >> field >> field >> field;
    return field;
}

}  // namespace

TEST_CASE("Keys are Polyglot's published ones, after moves and from a FEN") {
    std::ifstream file(std::string(FENDEX_TEST_DATA) + "/zobrist/polyglot.txt");
    REQUIRE(file);
    unsigned vectors = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        const std::size_t bar = line.find(" |");
        REQUIRE(bar != std::string::npos);
        const std::uint64_t key = std::stoull(line.substr(0, 16), nullptr, 16);
        const std::string fen = line.substr(17, bar - 17);
        CAPTURE(fen);
        Position position;
        play(position, line.substr(bar + 2));
        CHECK(position.key() == key);
        CHECK(to_fen(position) == fen);
        CHECK(position_of(fen).key() == key);
        ++vectors;
    }
    CHECK(vectors == 9);
}

TEST_CASE("The key that play() updates equals the key computed afresh") {
    Random random(2);
    unsigned castled = 0;
    unsigned en_passant = 0;
    unsigned inner = 0;
    for (unsigned game = 0; game < fendex::test::fewer(600U, 4); ++game) {
        random_game(any_start(random, game), random, 200, [&](const Position& p, Move m) {
            castled += m.kind() == MoveKind::kCastle;
            en_passant += m.kind() == MoveKind::kEnPassant;
            inner += castling_field(p).find_first_of("ABCDEFGHabcdefgh") != std::string::npos;
            if (p.key() != p.computed_key()) FAIL(to_fen(p));
            if (p.in_check()) return;
            Position passed = p;
            passed.play(Move::null());
            if (passed.key() != passed.computed_key()) FAIL("null move in " << to_fen(p));
        });
    }
    // The games had enough of the moves to be tested.
    CHECK(castled > fendex::test::fewer(100U, 4));
    CHECK(en_passant > fendex::test::fewer(20U, 4));
    CHECK(inner > fendex::test::fewer(100U, 4));
}

TEST_CASE("Positions are equal exactly if their keys are equal and exactly if their EPDs are") {
    // Short games, so that many positions recur by other moves.
    Random random(3);
    std::map<std::string, Position> by_epd;
    std::map<std::uint64_t, std::string> by_key;
    unsigned again = 0;
    for (unsigned game = 0; game < 6000; ++game) {
        random_game(any_start(random, game / 1000), random, 6, [&](const Position& p, Move) {
            const std::string epd = to_epd(p);
            const auto [known, is_new] = by_epd.try_emplace(epd, p);
            const auto [epd_of_key, key_is_new] = by_key.try_emplace(p.key(), epd);
            again += !is_new;
            if (!p.same_as(known->second)) FAIL(epd << " is not itself");
            if (epd_of_key->second != epd) FAIL(epd << " and " << epd_of_key->second);
            if (is_new != key_is_new) FAIL(epd);
        });
    }
    CHECK(again > 1000);
    CHECK(by_epd.size() > 10000);

    const std::vector<std::string> related = {
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -",
        "r3k2r/8/8/8/8/8/8/R3K2R w Qkq -",  "r3k2r/8/8/8/8/8/8/R3K2R w Kkq -",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQq -",  "r3k2r/8/8/8/8/8/8/R3K2R w KQk -",
        "r3k2r/8/8/8/8/8/8/R3K2R w - -",    "r3k2r/8/8/8/8/8/8/RR2K2R w KQkq -",
        "r3k2r/8/8/8/8/8/8/RR2K2R w KBkq -"};
    for (const std::string& one : related) {
        for (const std::string& other : related) {
            CAPTURE(one, other);
            CHECK(position_of(one).same_as(position_of(other)) == (one == other));
            CHECK((position_of(one).key() == position_of(other).key()) == (one == other));
        }
    }
}

TEST_CASE("A position is the same if it is reached by other moves or with other clocks") {
    Position position;
    play(position, "Nf3 Nf6 Ng1 Ng8");
    CHECK(position.same_as(Position()));
    CHECK(position.key() == Position().key());
    CHECK(to_fen(position) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3");

    Position rights_lost;
    play(rights_lost, "Nf3 Nf6 Rg1 Ng8 Rh1 Nf6 Ng1 Ng8");
    CHECK_FALSE(rights_lost.same_as(Position()));
    CHECK(to_epd(rights_lost) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq -");
}

TEST_CASE("An en passant square distinguishes positions only if the capture is legal") {
    struct Case {
        const char* fen;
        bool legal;
    };
    const Case cases[] = {
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", false},  // no pawn there
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", true},
        {"4k3/8/8/8/K2Pp2r/8/8/8 b - d3 0 1", true},
        {"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", false},   // both pawns leave the king's rank
        {"4k3/8/8/8/3Pp3/8/8/K3R3 b - d3 0 1", false},  // the capturer is pinned on its file
        {"8/8/4k3/8/3Pp3/8/8/K3R3 b - d3 0 1", false},
        {"8/8/8/2k5/3Pp3/8/8/K7 b - d3 0 1", true},     // it takes the pawn that gives check
        {"8/8/8/k7/3Pp3/8/8/K3R3 b - d3 0 1", true},    // the file is open, the king is not on it
        {"7k/8/8/8/1b1Pp3/8/8/K7 b - d3 0 1", true},    // the pin of another piece does not matter
        {"8/8/7k/8/3Pp3/8/8/K1B5 b - d3 0 1", false},   // the check by another piece remains
        {"k7/8/8/8/2pPp3/8/8/K3R3 b - d3 0 1", true},   // two capturers
        {"4k3/8/8/8/2pPp3/8/8/K3R3 b - d3 0 1", true},  // two capturers, one of them pinned
    };
    for (const Case& each : cases) {
        CAPTURE(each.fen);
        const Position with = position_of(each.fen);
        std::string text = each.fen;
        const std::string square(1, text[text.size() - 6]);
        text.replace(text.size() - 6, 2, "-");
        const Position without = position_of(text);

        CHECK(with.en_passant_is_legal() == each.legal);
        CHECK(with.same_as(without) == !each.legal);
        CHECK((with.key() == without.key()) == !each.legal);
        CHECK((to_epd(with) == to_epd(without)) == !each.legal);
        // The canonical FEN still shows the square.
        CHECK(to_fen(with) == each.fen);
        MoveList moves;
        legal_moves(with, moves);
        CHECK(std::any_of(moves.begin(), moves.end(),
                          [](Move m) { return m.kind() == MoveKind::kEnPassant; }) == each.legal);
    }
}

TEST_CASE("A move changes clocks, castling rights and en passant square as the FEN standard says") {
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    CHECK(fen_after(start, "e4") == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    CHECK(fen_after(start, "e4 Nf6") ==
          "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
    CHECK(fen_after(start, "e4 -- d4") ==
          "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 2");
    CHECK(fen_after(start, "e4 --") ==
          "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");

    SECTION("castling moves the rook, and a king or rook that moves loses rights") {
        const std::string fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 30";
        CHECK(fen_after(fen, "O-O") == "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 8 30");
        CHECK(fen_after(fen, "O-O-O O-O") == "r4rk1/8/8/8/8/8/8/2KR3R w - - 9 31");
        CHECK(fen_after(fen, "Ke2") == "r3k2r/8/8/8/8/8/4K3/R6R b kq - 8 30");
        CHECK(fen_after(fen, "Ra2") == "r3k2r/8/8/8/8/8/R7/4K2R b Kkq - 8 30");
    }
    SECTION("a captured rook loses its castling right") {
        const std::string fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 30";
        CHECK(fen_after(fen, "Rxa8+") == "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 30");
        CHECK(fen_after(fen, "Rxh8+ Ke7") == "r6R/4k3/8/8/8/8/8/R3K3 w Q - 1 31");
    }
    SECTION("temporarily prevented castling keeps its letters") {
        const std::string fen = "4k3/8/8/8/8/5q2/8/R3K2R b KQ - 3 9";
        CHECK(fen_after(fen, "Qf4") == "4k3/8/8/8/5q2/8/8/R3K2R w KQ - 4 10");
        CHECK(fen_after(fen, "Qe4+") == "4k3/8/8/8/4q3/8/8/R3K2R w KQ - 4 10");
    }
    SECTION("promotion puts the new piece on the board and resets the clock") {
        const std::string fen = "r3k3/1P6/8/8/8/8/8/4K3 w q - 7 30";
        CHECK(fen_after(fen, "b8=N") == "rN2k3/8/8/8/8/8/8/4K3 b q - 0 30");
        CHECK(fen_after(fen, "bxa8=R+") == "R3k3/8/8/8/8/8/8/4K3 b - - 0 30");
    }
    SECTION("a capture en passant removes the other pawn") {
        CHECK(fen_after(start, "e4 d5 e5 f5 exf6") ==
              "rnbqkbnr/ppp1p1pp/5P2/3p4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
        CHECK(fen_after(start, "e4 d5 e5 f5 Nf3") ==
              "rnbqkbnr/ppp1p1pp/8/3pPp2/8/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 3");
    }
    SECTION("Chess960: king and rook may castle to each other's square") {
        CHECK(fen_after("5rk1/8/8/8/8/8/8/5RK1 w - - 0 1", "Kh1") ==
              "5rk1/8/8/8/8/8/8/5R1K b - - 1 1");
        CHECK(fen_after("1k6/8/8/8/8/8/8/5KR1 w K - 0 1", "O-O") ==
              "1k6/8/8/8/8/8/8/5RK1 b - - 1 1");
        CHECK(fen_after("1k6/8/8/8/8/8/8/5RKR w K - 0 1", "Kf2") ==
              "1k6/8/8/8/8/8/5K2/5R1R b - - 1 1");
        CHECK(fen_after("1k6/8/8/8/8/8/8/2RK4 w Q - 0 1", "O-O-O") ==
              "1k6/8/8/8/8/8/8/2KR4 b - - 1 1");
        CHECK(fen_after("1k6/8/8/8/8/8/8/6KR w K - 0 1", "O-O") ==
              "1k6/8/8/8/8/8/8/5RK1 b - - 1 1");
        CHECK(fen_after("6k1/8/8/8/8/8/8/1K1R4 w K - 0 1", "O-O") ==
              "6k1/8/8/8/8/8/8/5RK1 b - - 1 1");
    }
    SECTION("a castling letter changes when a rook farther outside leaves or comes") {
        const std::string fen = "k7/7p/8/8/8/8/8/4KR1R w F - 0 1";
        CHECK(to_fen(position_of(fen)) == fen);
        CHECK(fen_after(fen, "Rh3 Kb7") == "8/1k5p/8/8/8/7R/8/4KR2 w K - 2 2");
        CHECK(fen_after(fen, "Rh3 Kb7 Rg3 Kb8 Rgg1") == "1k6/7p/8/8/8/8/8/4KRR1 b F - 5 3");
        // The rook is captured without moving; no piece of its side moves.
        CHECK(fen_after("k6r/8/8/8/8/8/8/4KR1R b F - 0 1", "Rxh1") ==
              "k7/8/8/8/8/8/8/4KR1r w K - 0 2");
    }
}

TEST_CASE("The standard start written as Chess960 is the standard start") {
    CHECK(position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1")
              .same_as(Position()));
}
