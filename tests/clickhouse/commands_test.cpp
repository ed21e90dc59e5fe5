// Every verb that reads a cluster prints for a database that was pushed, byte for byte, what it
// prints for the file; on each kind of server.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clickhouse/program.hpp"
#include "clickhouse/servers.hpp"
#include "support/corpus.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex::test;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Samples, variants and annotated games, imported once for all tests of a run.
const std::string& mixed_database() {
    static const TemporaryDirectory directory;
    static const std::string path = [] {
        const std::string database = directory / "mixed.db";
        const std::string data = FENDEX_TEST_DATA;
        for (const Words& files : {Words{FENDEX_SAMPLES}, Words{data + "/variants/games.pgn"},
                                   Words{data + "/repeats", corpus_cut() + "/annotated"}}) {
            Words words{"import", database, "--quiet", "--variations"};
            words.insert(words.end(), files.begin(), files.end());
            REQUIRE(run(words).status == 0);
        }
        return database;
    }();
    return path;
}

/// What comes after the database, with the verb first.
const std::vector<Words>& commands() {
    static const std::vector<Words> all{
        {"tree"},
        {"tree", "--format", "json"},
        {"tree", "--format", "json", "--match", "mirrored", "--depth", "2", "--min-games", "2"},
        {"tree", "--format", "json", "--result", "1-0", "--min-elo", "1500"},
        {"tree", "--format", "csv", "--moves", "1.e4 c5", "--match", "board"},
        {"tree", "--format", "json", "--player", "fischer"},
        {"tree", "--format", "json", "--variant", "atomic"},
        {"find", kStart, "--format", "json"},
        {"find", "--moves", "1.e4 e5", "--format", "json", "--sort", "elo", "--limit", "20",
         "--offset", "3"},
        {"find", "--moves", "1.e4 e5", "--sort", "date"},
        {"find", "--moves", "1.e4 e5", "--sort", "plies", "--format", "csv"},
        {"find", "--moves", "1.d4", "--count"},
        {"find", "--moves", "1.d4", "--count", "--verify", "--match", "mirrored"},
        {"find", "--moves", "1.d4 d5", "--variations", "--format", "json"},
        {"find", "--moves", "1.d4", "--format", "pgn", "--limit", "30"},
        {"find", "--moves", "1.d4", "--format", "csv", "--since", "1950", "--until", "1990"},
        {"find", "--moves", "1.a3 a6 2.a4 a5 3.Ra3"},
        {"find", "--key", "0123456789abcdef"},
        {"games", "--format", "json", "--sort", "plies"},
        {"games", "--format", "csv", "--player", "carlsen"},
        {"games", "--sort", "date", "--limit", "5"},
        {"games", "--event", "rated", "--time-control", "blitz", "--format", "json"},
        {"games", "--eco", "B90-B99", "--format", "json"},
        {"games", "--opening", "sicilian", "--format", "json"},
        {"games", "--tag", "Round=1", "--format", "json"},
        {"games", "--source", "classics.pgn", "--format", "json"},
        {"games", "--source", "nosuch.pgn"},
        {"games", "--white", "no such name"},
        {"games", "--format", "pgn", "--limit", "40"},
        {"games", "--variant", "chess960", "--format", "json"},
        {"games", "--termination", "normal", "--format", "json"},
        {"games", "--white-elo", "2000-2100", "--format", "json"},
        {"show", "1"},
        {"show", "3", "--format", "json"},
        {"show", "2", "--plies"},
        {"show", "1-30", "--format", "json"},
        {"show", "1-5", "--plies", "--format", "csv"},
        {"show", "4", "--board", "--ply", "20"},
        {"show", "999999999"},
        {"repeats", "--format", "json"},
        {"repeats", "--format", "json", "--min", "2", "--claims", "--sort", "elo"},
        {"repeats", "--missed"},
        {"repeats", "--fivefold"},
        {"repeats", "--rule50", "--format", "json"},
        {"repeats", "--rule75", "--format", "json"},
        {"repeats", "--summary"},
        {"repeats", "--summary", "--format", "json", "--min", "2"},
        {"repeats", "--game", "5", "--min", "2"},
        {"repeats", "--fen", kStart, "--min", "2", "--format", "json"},
        {"export"},
        {"export", "--format", "json"},
        {"export", "--format", "csv", "--sort", "elo", "--limit", "100"},
        {"export", "--format", "json", "--rows", "plies", "--limit", "50"},
        {"export", "--format", "csv", "--rows", "plies", "--limit", "80", "--columns",
         "game_id,ply,white,clock,eval,date,time_class,result,occurrence,termination"},
        {"export", "--format", "json", "--rows", "positions", "--min-games", "3"},
        {"export", "--format", "epd", "--min-games", "4"},
        {"export", "--format", "fen", "--max-ply", "8"},
        {"export", "--format", "pgn", "--moves", "1.e4 e5 2.Nf3"},
        {"export", "--format", "json", "--sample", "20"},
        {"export", "--format", "json", "--rows", "plies", "--sample", "30"},
        {"export", "--format", "pgn", "--player", "a", "--since", "1970"},
        {"info", "--sources", "--format", "json"},
    };
    return all;
}

Outcome answer(const std::string& database, Words words) {
    words.insert(words.begin() + 1, database);
    words.push_back("--quiet");
    Outcome outcome = run(words);
    for (std::string* const text : {&outcome.out, &outcome.err}) {
        for (std::size_t at = 0; (at = text->find(database, at)) != text->npos;) {
            text->replace(at, database.size(), "DB");
        }
    }
    return outcome;
}

std::string shown(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += word + ' ';
    return text;
}

}  // namespace

TEST_CASE("commands print of a cluster what they print of the file") {
    const TestDatabase cluster(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!cluster.is_there()) return;
    Words push{"push", mixed_database(), cluster.url(), "--quiet"};
    if (!cluster.cluster().empty()) {
        push.push_back("--cluster");
        push.push_back(cluster.cluster());
    }
    const Outcome pushed = run(push);
    INFO(pushed.err);
    REQUIRE(pushed.status == 0);
    for (const Words& command : commands()) {
        INFO(shown(command));
        const Outcome expected = answer(mixed_database(), command);
        const Outcome of_cluster = answer(cluster.url(), command);
        INFO(of_cluster.err);
        CHECK(of_cluster.status == expected.status);
        CHECK(of_cluster.out == expected.out);
        CHECK(of_cluster.err == expected.err);
    }
}

TEST_CASE("info counts of a cluster what the file has") {
    const TestDatabase cluster(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!cluster.is_there()) return;
    Words push{"push", mixed_database(), cluster.url(), "--quiet"};
    if (!cluster.cluster().empty()) {
        push.push_back("--cluster");
        push.push_back(cluster.cluster());
    }
    REQUIRE(run(push).status == 0);
    const auto info = [](const std::string& database) {
        return nlohmann::json::parse(run({"info", database, "--format", "json"}).out);
    };
    const nlohmann::json expected = info(mixed_database());
    const nlohmann::json of_cluster = info(cluster.url());
    for (const char* const name : {"id", "games", "plies", "positions", "players", "sources",
                                   "errors", "warnings", "fingerprint", "variants"}) {
        INFO(name);
        CHECK(of_cluster[name] == expected[name]);
    }
    CHECK(!of_cluster.contains("bytes"));
}
