#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kGame =
    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black "
    "\"?\"]\n"
    "[Result \"1-0\"]\n\n{before} 1. e4! {[%clk 0:01:30]} 1... e5 $14 (1... c5 {why not} 2. Nf3) "
    "2. Nf3\n1-0\n\n";

std::string imported(const TemporaryDirectory& directory, const Words& options) {
    const std::string database = directory.path() + "/games.db";
    Words words{"import", database, directory.write("games.pgn", kGame)};
    words.insert(words.end(), options.begin(), options.end());
    REQUIRE(run(words).status == 0);
    return database;
}

Json info(const std::string& database) {
    return json_lines(run({"info", database, "--format", "json"}).out).at(0);
}

}  // namespace

TEST_CASE("annotations are kept with --annotations, and are shown and exported") {
    const TemporaryDirectory directory;
    const std::string database = imported(directory, {"--annotations"});
    CHECK(run({"show", database, "1", "--format", "pgn"}).out == kGame);
    CHECK(run({"games", database, "--format", "pgn"}).out == kGame);
    CHECK(run({"export", database, "--format", "pgn"}).out == kGame);
    CHECK_THAT(run({"show", database, "1"}).out, Contains("1. e4! {[%clk 0:01:30]}"));
    CHECK(info(database)["annotated_games"] == 1);
    CHECK(info(database)["annotation_bytes"] > 0);
    CHECK_THAT(
        run({"sql", database, "SELECT ply, clk FROM annotation_ply WHERE clk", "--format", "csv"})
            .out,
        Contains("1,90"));
    // Positions of variations are not indexed.
    CHECK(run({"find", database, "--moves", "1. e4 c5", "--variations"}).status == 1);
}

TEST_CASE("import keeps no annotations by default") {
    const TemporaryDirectory directory;
    const std::string database = imported(directory, {});
    CHECK_THAT(run({"show", database, "1"}).out, Contains("1. e4 e5 2. Nf3 1-0"));
    CHECK(info(database)["annotated_games"] == 0);
    CHECK(info(database)["annotation_bytes"] == 0);
}

TEST_CASE("import says which annotations it left out") {
    const TemporaryDirectory directory;
    const auto said = [&](const std::string& moves, const Words& options = {}) {
        Words words{"import", directory / "my.db",
                    directory.write("a.pgn", "[Event \"x\"]\n\n" + moves + " *\n"), "--again",
                    "--yes"};
        words.insert(words.end(), options.begin(), options.end());
        const std::string err = run(words).err;
        const std::size_t at = err.find("; ", err.find("ply rows: "));
        return at == std::string::npos ? "" : err.substr(at);
    };
    CHECK(said("1. e4 e5").empty());
    CHECK(said("1. e4 {x}") == "; 1 comment left out; --annotations keeps them\n");
    CHECK(said("1. e4! {[%clk 0:01:00]} (1. d4) (1. c4) e5 {x}") ==
          "; 2 comments (clocks or evaluations among them), 1 NAG and 2 variations left out; "
          "--annotations keeps them\n");
    CHECK(said("1. e4! (1. d4)") == "; 1 NAG and 1 variation left out; --annotations keeps them\n");
    CHECK(said("1. e4! {x}", {"--annotations"}).empty());
    CHECK(said("1. e4! {x}", {"--variations"}).empty());
    CHECK(said("1. e4! {x}", {"--quiet"}).empty());
}

TEST_CASE("find --variations names the line, a row for each place") {
    const TemporaryDirectory directory;
    const std::string database = imported(directory, {"--variations"});
    const auto find = [&](const Words& more) {
        Words words{"find", database};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    CHECK(run({"show", database, "1", "--format", "pgn"}).out == kGame);
    CHECK(find({"--moves", "1. e4 c5"}).status == 1);
    const Json hit =
        json_lines(find({"--moves", "1. e4 c5", "--variations", "--format", "json"}).out).at(0);
    CHECK(hit["game_id"] == 1);
    CHECK(hit["ply"] == 2);
    CHECK(hit["san"] == "Nf3");
    CHECK(hit["variation"] == true);
    CHECK(hit["line"] == "1...c5");
    const Json game =
        json_lines(find({"--moves", "1. e4", "--variations", "--format", "json"}).out).at(0);
    CHECK(game["variation"] == false);
    CHECK(game["line"] == nullptr);
    CHECK(
        json_lines(find({"--moves", "1. e4 c5", "--variations", "--count", "--format", "json"}).out)
            .at(0)["games"] == 1);
    CHECK(find({"--moves", "1. e4 c5", "--variations", "--format", "pgn"}).out == kGame);
    check_refused(find({"--material", "KvK", "--variations"}), {"--variations"});
    check_refused(find({"--moves", "1. e4", "--variations", "--sort", "date"}), {"--variations"});
}
