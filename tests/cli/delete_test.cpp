// fendex delete: no answer has deleted games. A twin database that never had them gives the same
// answers, apart from the numbers of games.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "cli/fixture.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

/// Returns short games that share their openings, so that some positions have many games.
std::string opening_games(unsigned count) {
    const char* const lines[] = {
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7",
        "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Re1 a6 a4 Ba7 h3 h6",
        "d4 Nf6 c4 e6 Nf3 d5 Nc3 Be7 Bg5 h6 Bh4 O-O e3 Ne4 Bxe7 Qxe7",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Bg5 e6 f4 Be7 Qf3 Qc7 O-O-O Nbd7",
        "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4 e5",
    };
    const char* const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    std::mt19937_64 random(77);
    std::string out;
    for (unsigned i = 0; i < count; ++i) {
        std::istringstream line(lines[random() % 5]);
        std::string moves;
        std::string move;
        for (std::size_t n = 2 + random() % 20; n != 0 && line >> move; --n) moves += move + ' ';
        const std::string result = results[random() % 4];
        out += "[White \"Player " + std::to_string(random() % 30) + "\"]\n[Black \"Player " +
               std::to_string(random() % 30) + "\"]\n[Date \"" +
               std::to_string(1980 + random() % 40) + ".0" + std::to_string(1 + random() % 9) +
               ".??\"]\n[WhiteElo \"" + std::to_string(2000 + random() % 800) + "\"]\n[Round \"" +
               std::to_string(i) + "\"]\n[Result \"" + result + "\"]\n\n" + moves + result + "\n\n";
    }
    return out;
}

unsigned openings_wanted() { return at_size(200U, 700U); }
/// The number of games with the samples.
unsigned all_games() { return 113 + openings_wanted(); }

/// A database, the games that are to remain in it, and a twin database of these.
struct Twins {
    TemporaryDirectory directory;
    std::string database = directory / "a.db";
    std::string twin = directory / "twin.db";
    std::vector<unsigned> ids;  // the database's ids of the twin's games, from [1] on
    unsigned round;             // at small size each question is put in one of four rounds
    mutable unsigned questions = 0;

    Twins(const std::string& rows, unsigned first_round) : round(first_round) {
        const std::string openings = directory / "openings.pgn";
        std::ofstream(openings, std::ios::binary) << opening_games(openings_wanted());
        REQUIRE(run({"import", database, kSamples, "--ply-rows", rows}).status == 0);
        REQUIRE(run({"import", database, openings}).status == 0);
    }

    /// Imports the games that remain into the twin, exported from the database before the deletion.
    void make_twin(const std::vector<unsigned>& stay, const std::string& rows) {
        ids = {0};
        ids.insert(ids.end(), stay.begin(), stay.end());
        const std::string left = directory / "left.pgn";
        std::ofstream out(left, std::ios::binary);
        Words show{"show", database, "--format", "pgn"};
        for (const unsigned id : stay) show.push_back(std::to_string(id));
        out << run(show).out;
        out.close();
        std::filesystem::remove(twin);
        REQUIRE(run({"import", twin, left, "--ply-rows", rows}).status == 0);
    }

    static Json without_question_marks(Json json) {
        if (json == "?") return nullptr;
        if (json.is_structured()) {
            for (Json& each : json) each = without_question_marks(each);
        }
        return json;
    }

    /// Replaces the twin's game numbers in an answer with the database's.
    Json renumbered(Json json) const {
        // PGN writes "?" for a roster tag that a game does not have.
        if (json == "?") return nullptr;
        if (json.is_array()) {
            for (Json& each : json) each = renumbered(each);
        } else if (json.is_object()) {
            for (auto& [name, value] : json.items()) {
                const bool number = name == "game_id" || name == "id" || name == "first_game";
                if (number && value.is_number()) {
                    value = ids[value.get<unsigned>()];
                } else {
                    value = renumbered(value);
                }
            }
        }
        return json;
    }

    /// Like renumbered(), for a line of JSON as it was printed. Most lines need no more, and
    /// parsing takes long.
    std::string renumbered_text(const std::string& line) const {
        static const std::string names[] = {"\"game_id\":", "\"id\":", "\"first_game\":"};
        std::string out = line;
        for (const std::string& name : names) {
            for (std::size_t at = 0; (at = out.find(name, at)) != std::string::npos;) {
                at += name.size();
                const std::size_t end = out.find_first_not_of("0123456789", at);
                if (end == at) continue;
                const std::string number =
                    std::to_string(ids[std::stoul(out.substr(at, end - at))]);
                out.replace(at, end - at, number);
            }
        }
        return out;
    }

    /// Returns whether the next question is of this round.
    bool is_asked() const {
        if (full_size()) return true;
        return kSanitized ? questions++ % 2 == round / 2 : questions++ % 4 == round;
    }

    void check_alike(const Words& words) const {
        if (!is_asked()) return;
        CAPTURE(words);
        Words here = words;
        here.insert(here.begin() + 1, database);
        Words there = words;
        there.insert(there.begin() + 1, twin);
        const Outcome found = run(here);
        const Outcome expected = run(there);
        CHECK(found.status == expected.status);
        const std::vector<std::string> lines = lines_of(found.out);
        const std::vector<std::string> wanted = lines_of(expected.out);
        REQUIRE(lines.size() == wanted.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i] == renumbered_text(wanted[i])) continue;
            const Json renamed = renumbered(Json::parse(wanted[i]));
            const Json mine = without_question_marks(Json::parse(lines[i]));
            if (mine != renamed) CHECK(mine.dump() == renamed.dump());
        }
    }

    void check_all_alike() const {
        questions = 0;
        const std::string fens = directory / "positions.fen";
        if (full_size() || !std::filesystem::exists(fens)) {
            std::ofstream out(fens);
            const unsigned step = at_size(6U, 1U);
            for (const unsigned game : {1U, 30U, 80U, 100U, 113U, 200U, 300U, all_games()}) {
                const auto plies = json_lines(
                    run({"show", database, std::to_string(game), "--plies", "--format", "json"})
                        .out);
                for (std::size_t i = game % step; i < plies.size(); i += step) {
                    out << plies[i]["fen"].get<std::string>() << '\n';
                }
            }
            out << kStart << '\n';
        }
        check_alike({"find", "--fens", fens, "--format", "json"});
        check_alike({"find", "--fens", fens, "--count", "--format", "json"});
        check_alike({"find", "--fens", fens, "--match", "board", "--format", "json"});
        check_alike({"find", "--fens", fens, "--match", "mirrored", "--format", "json"});
        check_alike({"find", "--material", "KRPvKR", "--format", "json"});
        check_alike({"find", "--pattern", "*/*/*/*/????P?*/*/*/*", "--format", "json"});
        check_alike({"find", "--pattern", "*/*/*/*/????P?*/*/*/*", "--count", "--format", "json"});
        std::ifstream lines(fens);
        std::string fen;
        for (unsigned n = 0; std::getline(lines, fen); ++n) {
            if (n % 25 == 0) check_alike({"tree", fen, "--format", "json"});
        }
        check_alike({"tree", "--format", "json", "--depth", "3"});
        check_alike({"tree", "--format", "json", "--player", "Player 1"});
        check_alike({"tree", "--format", "json", "--match", "mirrored"});
        check_alike({"repeats", "--format", "json"});
        check_alike({"repeats", "--min-count", "2", "--format", "json"});
        check_alike({"repeats", "--summary", "--format", "json"});
        check_alike({"repeats", "--rule50", "--format", "json"});
        check_alike({"games", "--format", "json"});
        check_alike({"games", "--format", "json", "--sort", "date"});
        check_alike({"games", "--format", "json", "--player", "Player 1"});
        check_alike({"games", "--format", "json", "--max-plies", "6"});
        check_alike({"export", "--format", "json"});
        check_alike({"export", "--format", "json", "--rows", "plies"});
        check_alike({"export", "--format", "json", "--rows", "positions"});
        for (const char* const format : {"epd", "pgn", "polyglot"}) {
            if (!is_asked()) continue;
            CHECK(run({"export", database, "--format", format}).out ==
                  run({"export", twin, "--format", format}).out);
        }
        check_alike({"sql", "SELECT game_id, ply, san, key, occurrence FROM ply ORDER BY 1, 2",
                     "--format", "json"});
        check_alike(
            {"sql", "SELECT game_id, ply FROM reached('" + kStart + "')", "--format", "json"});
        check_alike(
            {"sql", "SELECT san, games, white, draws, black, last_year FROM tree('" + kStart + "')",
             "--format", "json"});
        check_alike({"sql", "SELECT name FROM player ORDER BY name", "--format", "json"});
        check_alike(
            {"sql", "SELECT name FROM event WHERE name <> '?' ORDER BY name", "--format", "json"});
        check_alike({"sql", "SELECT game_id, ply50, longest FROM quiet_run", "--format", "json"});
        const Json here = json_lines(run({"info", database, "--format", "json"}).out).at(0);
        const Json there = json_lines(run({"info", twin, "--format", "json"}).out).at(0);
        for (const char* const name : {"games", "plies", "positions", "players"}) {
            CHECK(here[name] == there[name]);
        }
        CHECK(here["distinct_positions"] >= there["distinct_positions"]);
    }
};

}  // namespace

TEST_CASE("delete: query results are those of a database that never had the deleted games",
          "[full]") {
    for (const std::string rows : {"yes", "no"}) {
        if (kSanitized && rows == "no") continue;
        Twins twins(rows, rows == "yes" ? 0 : 1);
        std::mt19937_64 random(78);
        std::vector<unsigned> stay;
        std::string gone;
        for (unsigned id = 1; id <= all_games(); ++id) {
            if (random() % 3 != 0) {
                stay.push_back(id);
            } else {
                gone += (gone.empty() ? "" : ",") + std::to_string(id);
            }
        }
        twins.make_twin(stay, rows);
        const Outcome outcome = run({"delete", twins.database, "--games", gone});
        CHECK(outcome.status == 0);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, Contains(std::to_string(all_games() - stay.size()) + " games, "));
        twins.check_all_alike();
        CHECK(run({"check", twins.database}).status == 0);
        // Later games continue the numbers and are indexed with the others.
        REQUIRE(run({"import", twins.database, "-"}, small_game(1)).status == 0);
        REQUIRE(run({"import", twins.twin, "-"}, small_game(1)).status == 0);
        twins.ids.push_back(all_games() + 1);
        twins.round += 2;
        twins.check_all_alike();
        CHECK(run({"check", twins.database}).status == 0);
    }
}

TEST_CASE("delete: games are deleted by conditions, or all of them") {
    const TemporaryFile db("a.db");
    REQUIRE(run({"import", db, "-"}, opening_games(300)).status == 0);
    const auto count = [&](Words words) {
        words.insert(words.begin() + 1, db);
        words.insert(words.end(), {"--format", "json"});
        return json_lines(run(words).out).size();
    };
    const std::size_t of_player = count({"games", "--player", "Player 7"});
    REQUIRE(of_player > 5);
    const std::string before = run({"info", db, "--format", "json"}).out;
    const Outcome dry = run({"delete", db, "--player", "Player 7", "--dry-run"});
    CHECK(dry.status == 0);
    CHECK(dry.err == "fendex: --player 'player 7' fits 'Player 7' (" + std::to_string(of_player) +
                         " games)\n" + std::to_string(of_player) +
                         " of 300 games would be deleted\n");
    CHECK(run({"info", db, "--format", "json"}).out == before);
    CHECK(run({"delete", db, "--player", "Player 7"}).status == 0);
    CHECK(count({"games", "--player", "Player 7"}) == 0);
    CHECK(count({"games"}) == 300 - of_player);
    CHECK(run({"delete", db, "--player", "Player 7"}).status == 1);
    CHECK(run({"delete", db, "--games", "900-1000"}).status == 1);
    CHECK(run({"delete", db, "--max-plies", "100000"}).status == 0);
    CHECK(count({"games"}) == 0);
    CHECK(run({"find", db, kStart}).status == 1);
    CHECK(run({"tree", db}).status == 1);
    CHECK(run({"games", db}).status == 1);
    CHECK(run({"check", db}).status == 0);
    const Json info = json_lines(run({"info", db, "--format", "json"}).out).at(0);
    CHECK(info["games"] == 0);
    CHECK(info["plies"] == 0);
    CHECK(info["players"] == 0);
    CHECK(info["fingerprint"] == "0000000000000000");
}

TEST_CASE("delete: a game is deleted by its number") {
    const TemporaryFile db("a.db");
    REQUIRE(run({"import", db, "-"}, small_game(1) + small_game(2) + small_game(3)).status == 0);
    CHECK(run({"delete", db, "--games", "2,2,2-2"}).status == 0);
    CHECK(run({"show", db, "2"}).status != 0);
    CHECK(run({"show", db, "3"}).status == 0);
    CHECK(run({"delete", db, "--games", "2"}).status == 1);
    CHECK(run({"sql", db, "SELECT count(*) FROM ply WHERE game_id = 2", "--format", "csv"}).out ==
          "count(*)\r\n0\r\n");
}

TEST_CASE("delete: nothing is deleted by accident") {
    const TemporaryDirectory directory;
    const std::string db = directory / "a.db";
    REQUIRE(run({"import", db, "-"}, small_game(1)).status == 0);
    check_refused(run({"delete", db}), {"--duplicates", "--games"});
    check_refused(run({"delete", db, "--dry-run"}), {"--duplicates", "--games"});
    check_refused(run({"delete", db, "--games", "1", "--duplicates", "identical"}), {"--games"});
    for (const char* const list : {"", "x", "1,", "5-2", "1-", "-1", "1;2"}) {
        CAPTURE(list);
        CHECK(run({"delete", db, "--games", list}).status == 2);
    }
    check_refused(run({"delete", directory / "none.db", "--games", "1"}), {"no such database"});
    CHECK_FALSE(std::filesystem::exists(directory / "none.db"));
    CHECK(json_lines(run({"games", db, "--format", "json"}).out).size() == 1);
}

TEST_CASE("delete: errors of a deleted game stay those of its file") {
    const TemporaryFile db("a.db");
    REQUIRE(run({"import", db, "-"}, small_game(1) + "[White \"x\"]\n\n1. e4 Qh9 *\n\n").status ==
            0);
    const auto errors = [&] { return json_lines(run({"errors", db, "--format", "json"}).out); };
    REQUIRE(errors().size() == 1);
    CHECK(errors()[0]["game_id"] == 2);
    CHECK(run({"delete", db, "--games", "2"}).status == 0);
    REQUIRE(errors().size() == 1);
    CHECK(errors()[0]["game_id"].is_null());
}
