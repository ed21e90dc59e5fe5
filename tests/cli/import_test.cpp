#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::Matches;
namespace fs = std::filesystem;

std::string games(unsigned first, unsigned last) {
    std::string text;
    for (unsigned i = first; i <= last; ++i) text += small_game(i);
    return text;
}

std::string zstd(const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

/// Returns the white players in the order of the games.
Words whites(const std::string& database) {
    Words names;
    for (const Json& game : json_lines(run({"games", database, "--format", "json"}).out)) {
        names.push_back(game["white"].is_null() ? "null" : game["white"].get<std::string>());
    }
    return names;
}

Words numbered(unsigned first, unsigned last) {
    Words names;
    for (unsigned i = first; i <= last; ++i) names.push_back("White " + std::to_string(i));
    return names;
}

Words files_in(const std::string& directory) {
    Words names;
    for (const auto& entry : fs::directory_iterator(directory)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

TEST_CASE("import says what ply rows cost if many games are added to a few") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    REQUIRE(run({"import", db, kSamples + "/classics.pgn"}).status == 0);
    const std::string large =
        directory.write("large.pgn", small_game(1, "1. e4 {" + std::string(17 << 20, 'x') + "} *"));
    const Outcome import = run({"import", db, large});
    CHECK(import.status == 0);
    CHECK_THAT(import.err,
               Matches("fendex: this database stores a row of some [0-9]+ bytes for every ply, as "
                       "its first import chose\n1 game, (.|\n)*\nfendex: ply rows take about "
                       "[0-9.]+ .B of the [0-9.]+ .B on disk; fendex materialize .*my.db --drop "
                       "removes them\n"));
    // No notice if ply rows were requested or are not stored.
    const Outcome wanted = run({"import", db, large, "--again", "--yes", "--ply-rows", "yes"});
    CHECK(wanted.status == 0);
    CHECK(lines_of(wanted.err).size() == 1);
    CHECK(lines_of(run({"import", directory / "other.db", large}).err).size() == 1);
}

TEST_CASE("import writes nothing to stdout and one summary line to stderr") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const Outcome import = run({"import", db, kSamples + "/classics.pgn"});
    CHECK(import.status == 0);
    CHECK(import.out.empty());
    CHECK_THAT(import.err,
               Matches("37 games, 2,454 plies, 0 errors in [0-9.]+ s \\([0-9.]+ MB/s, [0-9,]+ "
                       "plies/s\\); database: 37 games, ply rows: yes\n"));
    // There is one self-contained file and no other.
    CHECK(files_in(directory.path()) == Words{"my.db"});

    const Outcome again = run({"import", db, kSamples + "/online.pgn"});
    CHECK(again.status == 0);
    CHECK_THAT(again.err, Matches("6 games, 247 plies, 0 errors .*database: 43 games, .*\n"));
    CHECK(files_in(directory.path()) == Words{"my.db"});

    // A database has no text whose size could be compared with the time.
    CHECK_THAT(run({"import", directory / "merged.db", db}).err,
               Matches("43 games, 2,701 plies, 0 errors in [0-9.]+ s \\([0-9,]+ games/s, [0-9,]+ "
                       "plies/s\\); database: 43 games, .*\n"));
}

TEST_CASE("import: arguments in the wrong order are refused, and no input is overwritten") {
    const TemporaryDirectory directory;
    const std::string text = games(1, 3);
    const std::string db = directory / "my.db";
    for (const char* const name : {"games.pgn", "games.PGN", "games.pgn.zst", "games.pgn.gz",
                                   "games.pgn.bz2", "games.zst", "games.zip", "games.7z"}) {
        CAPTURE(name);
        const std::string archive = directory.write(name, text);
        check_refused(run({"import", archive, db}), {archive, "the database comes first"});
        check_refused(run({"import", archive, archive}), {});
        CHECK(read_file(archive) == text);
        CHECK_FALSE(fs::exists(db));
        // The file does not exist yet; a database with an archive's name would be created.
        fs::remove(archive);
        check_refused(run({"import", archive, directory.write("other.pgn", text)}), {archive});
        CHECK_FALSE(fs::exists(archive));
    }
    check_refused(run({"import", "-", directory / "other.pgn"}), {"-"});
    // An archive by its contents, not by its name.
    for (const std::string& content : {text, zstd(text), std::string(100'000, 'x')}) {
        const std::string archive = directory.write("games", content);
        check_refused(run({"import", archive, directory / "other.pgn"}), {archive, "database"});
        CHECK((read_file(archive) == content));
        CHECK(files_in(directory.path()) == Words{"games", "other.pgn"});
    }
}

TEST_CASE("import: an input that is the database itself is refused") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    REQUIRE(run({"import", db, kSamples + "/online.pgn"}).status == 0);
    const std::string before = read_file(db);
    fs::create_symlink(db, directory / "link");
    fs::create_hard_link(db, directory / "hard.pgn");
    const std::string roundabout =
        directory.path() + "/../" + fs::path(directory.path()).filename().string() + "/my.db";
    for (const std::string& input : {db, roundabout, directory / "link", directory / "hard.pgn"}) {
        check_refused(run({"import", db, input}), {input});
        check_refused(run({"import", db, kSamples + "/online.pgn", input}), {input});
        CHECK((read_file(db) == before));
    }
    // The same for a file found in a directory.
    check_refused(run({"import", db, directory.path()}), {"hard.pgn"});
    CHECK((read_file(db) == before));
}

TEST_CASE("import: a missing input is refused before anything is written") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    check_refused(run({"import", db, directory / "no.pgn"}), {"no.pgn", "no such file"});
    check_refused(run({"import", db, kSamples, directory / "no.pgn"}), {"no.pgn"});
    fs::create_directory(directory / "empty");
    check_refused(run({"import", db, directory / "empty"}), {"empty", "no .pgn"});
    CHECK(files_in(directory.path()) == Words{"empty"});
    // A database that cannot be created.
    check_refused(run({"import", directory / "no/my.db", kSamples}), {"no/my.db"});
    check_refused(run({"import", directory / "empty", kSamples}), {"empty", "directory"});
}

TEST_CASE("import: an input that is not PGN is refused, and the others are imported") {
    const TemporaryDirectory directory;
    const std::string good = directory.write("good.pgn", games(1, 2));
    const std::string html =
        "<!DOCTYPE html>\n<html><head><title>404</title></head>\n"
        "<body><h1>Not found</h1>\n<p>The page games.pgn is gone.</p></body></html>\n";
    std::string binary;
    for (unsigned i = 0; i < 100'000; ++i) binary += static_cast<char>(i * 2654435761U >> 24);
    unsigned number = 0;
    for (const std::string& content :
         {html, binary, std::string("Dear Sir,\n\nno games here.\n")}) {
        CAPTURE(number);
        const std::string bad = directory.write("bad.pgn", content);
        const std::string db = directory / ("my" + std::to_string(number++) + ".db");
        const Outcome import = run({"import", db, bad, good});
        INFO(import.err);
        CHECK(import.status == 2);
        CHECK(import.out.empty());
        CHECK_THAT(import.err, Contains(bad + ": is not PGN, no games were read from it"));
        CHECK_THAT(lines_of(import.err).back(), Matches("2 games, 8 plies, 0 errors .*"));
        CHECK(whites(db) == numbered(1, 2));
        CHECK(run({"errors", db}).status == 1);
        const auto info = json_lines(run({"info", db, "--format", "json"}).out).front();
        CHECK(info["sources"] == 1);
        CHECK(info["errors"] == 0);
        CHECK(info["warnings"] == 0);
    }
    const std::string other = directory / "other.db";
    REQUIRE(run_process({"sqlite3", other, "CREATE TABLE stranger(x)"}).status == 0);
    const Outcome database = run({"import", directory / "my0.db", other});
    CHECK(database.status == 2);
    CHECK_THAT(database.err, Contains(other + ": is not PGN") && Contains("SQLite"));
    const Outcome stream = run({"import", directory / "my0.db", "-"}, "no games\n");
    CHECK(stream.status == 2);
    CHECK_THAT(stream.err, Contains("standard input: is not PGN"));
}

TEST_CASE("import: a refused input leaves no new database") {
    const TemporaryDirectory directory;
    const std::string bad = directory.write("bad.pgn", "Dear Sir,\n\nno games here.\n");
    const std::string half = directory.write("half.pgn", games(1, 1) + "1. e4 e5 2. Ke3 *\n");
    const std::string db = directory / "my.db";
    const auto check_nothing_left = [&](const Words& words) {
        CAPTURE(words);
        const Outcome import = run(words);
        INFO(import.err);
        CHECK(import.status == 2);
        const auto entries = std::filesystem::directory_iterator(directory.path());
        CHECK(std::distance(begin(entries), end(entries)) == 2);
        return import;
    };
    CHECK_THAT(check_nothing_left({"import", db, bad}).err, Contains("no database was made"));
    const Outcome json = check_nothing_left({"import", db, bad, "--format", "json"});
    CHECK(json_lines(json.out).front()["database"].is_null());
    check_nothing_left({"import", db, half, "--strict"});
    // An existing database stays.
    REQUIRE(run({"import", db, half}).status == 0);
    CHECK(run({"import", db, bad}).status == 2);
    CHECK(json_lines(run({"info", db, "--format", "json"}).out).front()["games"] == 2);
}

TEST_CASE("import: an empty input is an error, and the others are imported") {
    const TemporaryDirectory directory;
    const std::string good = directory.write("good.pgn", games(1, 2));
    unsigned number = 0;
    for (const std::string& content : {std::string(), std::string("\n\n \n")}) {
        CAPTURE(number);
        const std::string bad = directory.write("bad.pgn", content);
        const std::string db = directory / ("my" + std::to_string(number++) + ".db");
        const Outcome import = run({"import", db, bad, good});
        INFO(import.err);
        CHECK(import.status == 2);
        CHECK_THAT(import.err, Contains(bad + ": no game found"));
        CHECK_THAT(lines_of(import.err).back(), Matches("2 games, 8 plies, 1 error .*"));
        CHECK(whites(db) == numbered(1, 2));
    }
}

TEST_CASE("import: inputs are read in the order of the command line, and directories sorted") {
    const TemporaryDirectory directory;
    directory.write("in/b.pgn", games(3, 4));
    directory.write("in/a/z.pgn.zst", zstd(games(1, 2)));
    directory.write("in/c.PGN", games(5, 5));
    directory.write("in/notes.txt", games(90, 99));
    directory.write("last.txt", games(8, 9));
    const std::string db = directory / "my.db";
    CHECK(run({"import", db, directory / "in", "-", directory / "last.txt"}, games(6, 7)).status ==
          0);
    CHECK(whites(db) == numbered(1, 9));
    const auto sources = sqlite3_rows(db,
                                      "SELECT path, size, bytes, first_game, games, plies, errors,"
                                      " complete FROM source ORDER BY id");
    REQUIRE(sources.size() == 5);
    CHECK(sources[0]["path"] == directory / "in/a/z.pgn.zst");
    CHECK(sources[0]["bytes"] == games(1, 2).size());
    CHECK(sources[3]["path"] == "-");
    CHECK(sources[3]["size"].is_null());
    CHECK(sources[3]["first_game"] == 6);
    CHECK(sources[4]["games"] == 2);
    CHECK(sources[4]["plies"] == 8);
    for (const Json& source : sources) CHECK(source["complete"] == 1);
    // A compressed stream is recognised too.
    const std::string other = directory / "other.db";
    CHECK(run({"import", other, "-"}, zstd(games(1, 3))).status == 0);
    CHECK(whites(other) == numbered(1, 3));
}

TEST_CASE("import: a truncated archive keeps the games before the damage, and reports the byte") {
    const TemporaryDirectory directory;
    const std::string text = games(1, 20'000);
    const std::string archive = zstd(text);
    const std::string cut = directory.write("cut.pgn.zst", archive.substr(0, archive.size() / 2));
    const std::string good = directory.write("good.pgn", games(1, 1));
    const std::string db = directory / "my.db";
    const Outcome import = run({"import", db, cut, good, "--ply-rows", "no"});
    INFO(import.err);
    CHECK(import.status == 2);
    CHECK(import.out.empty());
    CHECK_THAT(import.err,
               Contains(cut) && Contains("cut off at byte " + std::to_string(archive.size() / 2)));
    const Words names = whites(db);
    REQUIRE(names.size() > 1000);
    REQUIRE(names.size() < 20'000);
    CHECK(names.back() == "White 1");  // the next file
    const unsigned last = static_cast<unsigned>(names.size()) - 1;
    // All games except the one that was cut off must be whole.
    const Words whole(names.begin(), names.end() - 2);
    CHECK(whole == numbered(1, last - 1));
    const auto sources = sqlite3_rows(db, "SELECT games, plies, complete FROM source ORDER BY id");
    CHECK(sources[0]["games"] == last);
    CHECK(sources[0]["complete"] == 0);
    CHECK(sources[1]["complete"] == 1);
    const auto errors = sqlite3_rows(db, "SELECT game_id, reason FROM import_error ORDER BY id");
    REQUIRE_FALSE(errors.empty());
    for (const Json& error : errors) {
        if (!error["game_id"].is_null()) CHECK(error["game_id"] == last);
    }
}

TEST_CASE("import --strict: the first error undoes the whole import") {
    const TemporaryDirectory directory;
    const std::string good = directory.write("good.pgn", games(1, 2));
    const std::string bad =
        directory.write("bad.pgn", games(3, 3) + small_game(4, "1. e4 e5\n2. Ke3 *"));
    const std::string db = directory / "my.db";
    REQUIRE(run({"import", db, good}).status == 0);
    const std::string before = run({"info", db, "--format", "json"}).out;
    const Outcome strict = run({"import", db, good, bad, "--strict"});
    CHECK_THAT(strict.err, Contains("bad.pgn: game 2, line 14") && Contains("after ply 2") &&
                               Contains("Ke3") && Contains("nothing was imported"));
    check_refused(strict, {"bad.pgn"});
    CHECK(run({"info", db, "--format", "json"}).out == before);
    CHECK(whites(db) == numbered(1, 2));

    const Outcome lenient = run({"import", db, bad});
    CHECK(lenient.status == 0);
    CHECK_THAT(lenient.err, Contains("2 games, 6 plies, 1 error "));
    const auto errors =
        sqlite3_rows(db, "SELECT game_id, line, byte, ply, text, reason FROM import_error");
    REQUIRE(errors.size() == 1);
    CHECK(errors[0]["game_id"] == 4);
    CHECK(errors[0]["line"] == 14);
    CHECK(errors[0]["byte"] == read_file(bad).find("Ke3"));
    CHECK(errors[0]["ply"] == 2);
    CHECK(errors[0]["text"] == "Ke3");
    CHECK_THAT(errors[0]["reason"].get<std::string>(), Contains("illegal"));
    CHECK(run({"import", db, good, "--strict", "--again", "--yes"}).status == 0);
}

TEST_CASE("import --ply-rows: auto, yes or no is fixed by the first import") {
    const TemporaryDirectory directory;
    const std::string small = directory.write("small.pgn", games(1, 3));
    const auto rows_after = [&](const std::string& db, const Words& words,
                                const std::string& input) {
        Words all{"import", db};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome import = run(all, input);
        CHECK(import.status == 0);
        const std::string rows =
            import.err.substr(import.err.find("ply rows: ", import.err.find("; database: ")) + 10);
        return rows.substr(0, rows.find_first_of(";\n"));
    };
    CHECK(rows_after(directory / "auto.db", {small}, "") == "yes");
    CHECK(rows_after(directory / "auto.db", {"-"}, games(4, 5)) == "yes");  // fixed
    CHECK(sqlite3_rows(directory / "auto.db", "SELECT count(*) AS n FROM ply")[0]["n"] == 25);
    CHECK(rows_after(directory / "stdin.db", {"-"}, games(1, 3)) == "no");
    CHECK(rows_after(directory / "stdin.db", {small}, "") == "no");
    CHECK(sqlite3_rows(directory / "stdin.db", "SELECT name FROM sqlite_master WHERE name = 'ply'")
              .empty());
    CHECK(rows_after(directory / "no.db", {small, "--ply-rows", "no"}, "") == "no");
    CHECK(rows_after(directory / "yes.db", {"-", "--ply-rows", "yes"}, games(1, 3)) == "yes");
    check_refused(run({"import", directory / "no.db", small, "--ply-rows", "yes"}),
                  {"--ply-rows no"});
    check_refused(run({"import", directory / "yes.db", small, "--ply-rows", "no"}),
                  {"--ply-rows yes"});
    // Inputs of more than 16 MiB of text get none, whatever they take on disk.
    const std::string blanks(17 * 1024 * 1024, '\n');
    const std::string large = directory.write("large.pgn", games(1, 1) + blanks);
    CHECK(rows_after(directory / "large.db", {large}, "") == "no");
    CHECK(rows_after(directory / "zstd.db", {directory.write("l.zst", zstd(games(1, 1) + blanks))},
                     "") == "no");
    CHECK(rows_after(directory / "two.db",
                     {directory.write("s.zst", zstd(games(1, 1))),
                      directory.write("b.zst", zstd(games(2, 2) + blanks.substr(0, 1 << 20)))},
                     "") == "yes");
}
