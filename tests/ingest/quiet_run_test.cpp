// Runs without capture and pawn move that made the halfmove clock reach 100 and 150.
#include <catch2/catch.hpp>
#include <deque>

#include "chess/movegen.hpp"
#include "ingest/game_replay.hpp"
#include "ingest/ingest_fixtures.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using store::QuietPlies;

std::vector<QuietPlies> runs_of(const std::string& fen, const std::vector<std::string>& words) {
    std::vector<store::TagPair> tags;
    std::deque<std::string> owned;
    ingest::GameReplay replay;
    replay.start(tags, owned);
    replay.tag("FEN", fen);
    for (const std::string& word : words) REQUIRE(replay.move(word, nullptr));
    replay.finish();
    return replay.record().quiet_runs();
}

/// Returns moves of the kings up and down.
std::vector<std::string> shuffle(std::size_t plies, std::vector<std::string> then = {}) {
    const std::string words[] = {"Kb1", "Kg8", "Ka1", "Kh8"};
    std::vector<std::string> out;
    while (out.size() < plies) out.push_back(words[out.size() % 4]);
    out.insert(out.end(), then.begin(), then.end());
    return out;
}

/// Finds the runs from the FENs of all positions: reads the clock from the text, and lists moves to
/// see mate.
std::vector<QuietPlies> read_from_fens(const std::vector<std::string>& fens) {
    std::vector<QuietPlies> out;
    int last_clock = -1;
    for (std::uint32_t ply = 0; ply < fens.size(); ++ply) {
        const std::size_t at = fens[ply].find(
            ' ', fens[ply].find(' ', fens[ply].find(' ', fens[ply].find(' ') + 1) + 1) + 1);
        const int clock = std::stoi(fens[ply].substr(at + 1));
        chess::MoveList moves;
        const chess::Position position = *chess::parse_fen(fens[ply]).position;
        chess::legal_moves(position, moves);
        const bool mate = moves.empty() && position.in_check();
        const bool goes_on = last_clock >= 100 && clock > last_clock;
        if (clock >= 100) {
            if (!goes_on && !mate) out.push_back({ply, std::nullopt, 0});
            if (goes_on || !mate) {
                out.back().longest = static_cast<std::uint32_t>(clock);
                if (clock >= 150 && !out.back().ply75 && !mate) out.back().ply75 = ply;
            }
        }
        last_clock = clock;
    }
    return out;
}

constexpr char kKings[] = "7k/8/8/8/8/8/P3R3/K7 w - - 0 1";

}  // namespace

TEST_CASE("A run counts from its hundredth ply, and again from its hundred-and-fiftieth") {
    CHECK(runs_of(kKings, shuffle(99)).empty());
    CHECK(runs_of(kKings, shuffle(100)) == std::vector<QuietPlies>{{100, std::nullopt, 100}});
    CHECK(runs_of(kKings, shuffle(149)) == std::vector<QuietPlies>{{100, std::nullopt, 149}});
    CHECK(runs_of(kKings, shuffle(151)) == std::vector<QuietPlies>{{100, 150, 151}});
}

TEST_CASE("A pawn move ends a run, and another may follow") {
    std::vector<std::string> words = shuffle(120, {"a4", "Kg8"});
    CHECK(runs_of(kKings, words) == std::vector<QuietPlies>{{100, std::nullopt, 120}});
    for (int i = 0; i < 40; ++i) words.insert(words.end(), {"Kb1", "Kh8", "Ka1", "Kg8"});
    CHECK(runs_of(kKings, words) ==
          std::vector<QuietPlies>{{100, std::nullopt, 120}, {221, 271, 161}});
}

TEST_CASE("A run includes the halfmove clock of the starting position") {
    const auto from = [](const std::string& clock) {
        return "7k/8/8/8/8/8/P3R3/K7 w - - " + clock + " 90";
    };
    CHECK(runs_of(from("96"), shuffle(3)).empty());
    CHECK(runs_of(from("96"), shuffle(4)) == std::vector<QuietPlies>{{4, std::nullopt, 100}});
    CHECK(runs_of(from("100"), {}) == std::vector<QuietPlies>{{0, std::nullopt, 100}});
    CHECK(runs_of(from("120"), shuffle(30)) == std::vector<QuietPlies>{{0, 30, 150}});
    CHECK(runs_of(from("160"), {"a4"}) == std::vector<QuietPlies>{{0, 0, 160}});
}

TEST_CASE("Mate takes precedence over the fifty-move rule") {
    const std::string mate_in_one = "7k/8/6K1/8/8/8/8/R7 w - - ";
    CHECK(runs_of(mate_in_one + "99 80", {"Ra8#"}).empty());
    CHECK(runs_of(mate_in_one + "98 80", {"Ra7"}).empty());
    CHECK(runs_of(mate_in_one + "99 80", {"Ra7"}).size() == 1);
    // A claim was possible at the move before.
    CHECK(runs_of(mate_in_one + "100 80", {"Ra8#"}) ==
          std::vector<QuietPlies>{{0, std::nullopt, 101}});
    CHECK(runs_of(mate_in_one + "149 99", {"Ra8#"}) ==
          std::vector<QuietPlies>{{0, std::nullopt, 150}});
    CHECK(runs_of(mate_in_one + "150 99", {"Ra8#"}) == std::vector<QuietPlies>{{0, 0, 151}});
    // A stalemate is a draw, too, so the clock counts.
    CHECK(runs_of("7k/8/6K1/8/8/8/8/5Q2 w - - 99 80", {"Qf7"}).size() == 1);
}

TEST_CASE("Runs of random games are those that their FENs show") {
    test::Random random(120);
    std::size_t runs = 0;
    for (int round = 0; round < test::fewer(300, 5); ++round) {
        const char* fens[] = {"k7/8/8/8/8/8/8/K6R w - - 60 40", "rk6/p7/8/8/8/8/P7/RK6 w - - 3 9",
                              "k7/p7/8/8/8/8/7P/K1Q5 w - - 90 60",
                              "k7/8/1K6/8/8/8/8/7R w - - 97 60"};
        const std::string fen = fens[random() % 4];
        chess::Position position = *chess::parse_fen(fen).position;
        std::vector<std::string> words;
        std::vector<std::string> positions{fen};
        test::random_game(position, random, static_cast<unsigned>(random() % 400),
                          [&](const chess::Position& p, chess::Move move) {
                              words.push_back(chess::to_san(p, move));
                              chess::Position after = p;
                              after.play(move);
                              positions.push_back(chess::to_fen(after));
                          });
        const std::vector<QuietPlies> found = runs_of(fen, words);
        CHECK((found == read_from_fens(positions)));
        runs += found.size();
    }
    CHECK(runs > test::fewer(100U, 5));
}

TEST_CASE("Runs are stored as rows of the database") {
    const test::TemporaryDirectory directory;
    std::string pgn = "1. e4 e5 *\n\n[FEN \"7k/8/8/8/8/8/P3R3/K7 w - - 60 1\"]\n\n";
    for (const std::string& word : shuffle(95)) pgn += word + "\n";
    const test::Imported imported({directory.write("a.pgn", pgn + "1/2-1/2\n")});
    CHECK(imported.rows("SELECT game_id || '|' || ply50 || '|' || ply75 || '|' || longest FROM"
                        " quiet_run") == std::vector<std::string>{"2|40|90|155"});
}
