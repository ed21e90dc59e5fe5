// Verbs that change or check a database, run by scripts: --format json, --quiet, singular forms.
#include <filesystem>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

/// Returns the one object that a verb prints.
Json only_object(const Outcome& outcome) {
    INFO(outcome.out << outcome.err);
    const std::vector<Json> objects = json_lines(outcome.out);
    REQUIRE(objects.size() == 1);
    return objects.front();
}

const Words kBriefly{"--format", "json", "--quiet"};

Outcome briefly(Words words, const std::string& input = {}) {
    words.insert(words.end(), kBriefly.begin(), kBriefly.end());
    return run(words, input);
}

}  // namespace

TEST_CASE("import --format json gives an object with the names of figures that info uses") {
    const TemporaryFile db("my.db");
    const std::string pgn =
        db.write_beside("a.pgn", small_game(1) + "[White \"x\"]\n\n1. e4 Qh9\n");
    const Outcome first = briefly({"import", db, pgn});
    CHECK(first.status == 0);
    CHECK(first.err.empty());
    const Json object = only_object(first);
    CHECK(members(object) == Words{"games", "plies", "errors", "warnings", "duplicates",
                                   "annotated", "records", "unknown_records", "comments_left_out",
                                   "nags_left_out", "variations_left_out", "known_sources",
                                   "text_bytes", "seconds", "interrupted", "failures", "oddities",
                                   "notices", "database"});
    CHECK(object["games"] == 2);
    CHECK(object["plies"] == 5);
    CHECK(object["errors"] == 1);
    CHECK(object["interrupted"] == false);
    CHECK(object["failures"] == Json::array());
    const Json info = only_object(run({"info", db, "--format", "json"}));
    for (const auto& [name, value] : object["database"].items()) {
        CAPTURE(name);
        CHECK(info[name] == value);
    }
    // Text for people is on standard error, and the ledger does not record --format.
    const Outcome again = run({"import", db, pgn, "--format", "json"});
    CHECK(only_object(again)["known_sources"] == 1);
    CHECK(only_object(again)["games"] == 0);
    CHECK(only_object(again)["notices"].size() == 1);
    CHECK_THAT(again.err, Contains("0 games, 0 plies, 0 errors"));
    CHECK(run({"sql", db, "SELECT count(*) FROM source WHERE options <> ''", "--format", "csv",
               "--no-header"})
              .out == "0\r\n");

    const Outcome broken =
        briefly({"import", db, db.write_beside("b.pgn.gz", "this is no archive\n")});
    CHECK(broken.status == 2);
    CHECK(only_object(broken)["failures"].size() == 1);
}

TEST_CASE("delete --format json gives an object, and with --dry-run the rows of the games") {
    const TemporaryFile db("my.db");
    std::filesystem::copy_file(samples_database(), db);
    for (const char* const format : {"json", "csv"}) {
        const Outcome dry =
            run({"delete", db, "--player", "fischer", "--dry-run", "--format", format});
        CHECK(dry.status == 0);
        CHECK(dry.out == run({"games", db, "--player", "fischer", "--format", format}).out);
    }
    const Outcome dry = run({"delete", db, "--games", "1-30", "--dry-run"});
    CHECK(lines_of(dry.out).size() == 22);
    CHECK_THAT(dry.out, Contains("\n... and 10 more games (all: --format csv or json)\n"));
    CHECK(dry.err == "30 of 113 games would be deleted\n");

    const Json deleted = only_object(briefly({"delete", db, "--games", "1-3"}));
    CHECK(members(deleted) == Words{"games", "plies", "games_left", "seconds"});
    CHECK(deleted["games"] == 3);
    CHECK(deleted["games_left"] == 110);
    const Outcome nothing = briefly({"delete", db, "--games", "1-3"});
    CHECK(nothing.status == 1);
    CHECK(only_object(nothing)["games"] == 0);
    CHECK(only_object(nothing)["games_left"] == 110);
    check_refused(run({"delete", db, "--games", "4", "--format", "csv"}), {"csv", "json"});
}

TEST_CASE("check and repair --format json give an object for a clean database, too") {
    const TemporaryFile db("my.db");
    std::filesystem::copy_file(samples_database(), db);
    const Outcome clean = briefly({"check", db});
    CHECK(clean.status == 0);
    CHECK(clean.err.empty());
    const Json summary = only_object(clean);
    CHECK(members(summary) == Words{"kind", "clean", "damaged", "games", "positions", "segments",
                                    "postings", "seconds"});
    CHECK(summary["kind"] == "summary");
    CHECK(summary["clean"] == true);
    CHECK(summary["games"] == 113);
    CHECK_THAT(run({"check", db}).err, Contains("clean: 113 games, ") && Contains(", 1 segment, "));

    REQUIRE(
        run_process({"sqlite3", db, "UPDATE game SET moves = x'FFFFFFFF' WHERE id = 100"}).status ==
        0);
    const Outcome damaged = briefly({"check", db});
    CHECK(damaged.status == 2);
    const std::vector<Json> lines = json_lines(damaged.out);
    REQUIRE(lines.size() > 1);
    CHECK(lines.front()["kind"] != "summary");
    CHECK(lines.back()["kind"] == "summary");
    CHECK(lines.back()["clean"] == false);
    CHECK(lines.back()["damaged"].get<std::size_t>() >= lines.size() - 1);

    const Outcome repair = run({"repair", db, "--format", "json"});
    CHECK(repair.status == 0);
    const Json repaired = only_object(repair);
    CHECK(members(repaired) == Words{"games", "games_cut", "games_without_tags",
                                     "games_without_annotations", "games_renumbered", "records",
                                     "joined_names", "rows", "values", "malformed", "unreadable",
                                     "doubtful", "seconds"});
    CHECK(repaired["doubtful"].empty());
    CHECK(repaired["games"] == 113);
    CHECK(repaired["games_cut"] == 1);
    CHECK_THAT(repair.err, Contains("1 game cut to the last good ply"));
}

TEST_CASE("repair names what it cannot restore and fails, but only the first time") {
    const TemporaryFile db("my.db");
    REQUIRE(run({"import", db, "-"}, small_game(1)).status == 0);
    REQUIRE(run_process({"sqlite3", db, "UPDATE player SET name = 'x' WHERE id = 1"}).status == 0);
    CHECK_THAT(run({"check", db}).out, Contains("player 1, now 'x'"));
    const Outcome repair = run({"repair", db, "--format", "json"});
    CHECK(repair.status == 2);
    CHECK_THAT(repair.err, Contains("a name did not have its checksum: player 1, now 'x'"));
    CHECK(only_object(repair)["doubtful"] == Json::array({"names"}));
    CHECK_THAT(run({"errors", db}).out, Contains("player 1, now 'x'"));
    CHECK(run({"check", db}).status == 0);
    CHECK(run({"repair", db}).status == 0);

    REQUIRE(run_process({"sqlite3", db, "UPDATE game SET date = 19990101"}).status == 0);
    CHECK(run({"check", db}).status == 2);
    const Outcome of_game = run({"repair", db, "--format", "json"});
    CHECK(of_game.status == 2);
    CHECK_THAT(of_game.err, Contains("game 1: a checksum of the game did not match"));
    CHECK(only_object(of_game)["doubtful"] == Json::array({"game"}));
    CHECK_THAT(run({"errors", db, "--format", "csv"}).out, Contains("did not have its checksum"));
    CHECK(run({"check", db}).status == 0);
    CHECK(run({"repair", db}).status == 0);
}

TEST_CASE("messages use the singular for one thing") {
    const TemporaryFile db("my.db");
    const Outcome import = run({"import", db, "-"}, "[White \"x\"]\n\n1. e4 Qh9\n");
    CHECK_THAT(import.err,
               Contains("1 game, 1 ply, 1 error in ") && Contains("database: 1 game, "));
    CHECK_THAT(run({"export", db}).err, Catch::Matchers::StartsWith("1 game, "));
    CHECK(run({"delete", db, "--games", "1", "--dry-run"}).err == "1 of 1 game would be deleted\n");
    CHECK_THAT(run({"tree", db}).out, Contains("\n1 game\n"));
}

TEST_CASE("With --quiet only errors go to standard error") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    CHECK(run({"import", db, "-", "--quiet"}, small_game(1) + small_game(2)).err.empty());
    for (const Words& words : std::vector<Words>{{"check", db},
                                                 {"materialize", db, "--drop"},
                                                 {"materialize", db},
                                                 {"export", db},
                                                 {"delete", db, "--games", "2"},
                                                 {"compact", db},
                                                 {"repair", db}}) {
        CAPTURE(words);
        Words quiet = words;
        quiet.push_back("--quiet");
        const Outcome outcome = run(quiet);
        CHECK(outcome.status == 0);
        CHECK(outcome.err.empty());
    }
    check_refused(run({"check", directory / "none.db", "--quiet"}), {"no such database"});
}

TEST_CASE("a file without permission to read or write is an error that says so") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    REQUIRE(run({"import", db, "-"}, small_game(1)).status == 0);
    const std::string fens = directory.write("a.fen", kStart + "\n");
    const std::string pgn = directory.write("a.pgn", small_game(2));
    const std::string readable = directory.write("b.pgn", small_game(2));
    for (const std::string& file : {fens, pgn}) std::filesystem::permissions(file, {});
    std::filesystem::permissions(db, std::filesystem::perms(0444));
    std::filesystem::permissions(directory.path(), std::filesystem::perms(0555));
    const ProcessOptions nobody{.unprivileged = true};
    const auto denied = [&](const Words& words) {
        CAPTURE(words);
        const Outcome outcome = run(words, nobody);
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.err, Contains("Permission denied"));
    };
    denied({"find", db, "--fens", fens});
    denied({"import", db, pgn});
    denied({"import", directory / "new.db", readable});
    denied({"export", db, "-o", directory / "out.pgn"});
    denied({"delete", db, "--games", "1"});
    denied({"compact", db});
    std::filesystem::permissions(db, {});
    denied({"info", db});
}
