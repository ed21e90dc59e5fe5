// Text that cannot be read becomes a row with the place and the reason; what was read before is
// kept.
#include <catch2/catch.hpp>
#include <filesystem>

#include "ingest/numbered_games.hpp"
#include "pgn/source_fixtures.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/store_error.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using Catch::Contains;
using test::Imported;
using test::TemporaryDirectory;
using Rows = std::vector<std::string>;

constexpr char kErrors[] =
    "SELECT ifnull(game_id, '-') || '|' || byte || '|' || line || '|' || ifnull(ply, '-') || '|' ||"
    " reason || '|' || text FROM import_error ORDER BY id";

std::string with_line_ends(const std::string& text, const std::string& line_end) {
    std::string out;
    for (const char c : text) c == '\n' ? out += line_end : out += c;
    return out;
}

Imported import_text(const std::string& text, const ingest::ImportOptions& options = {}) {
    const TemporaryDirectory directory;
    return Imported({directory.write("a.pgn", text)}, options);
}

Rows errors_of(const std::string& text, const ingest::ImportOptions& options = {}) {
    return import_text(text, options).rows(kErrors);
}

constexpr char kBroken[] =
    "[Event \"good\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
    "[Event \"illegal\"]\n\n1. e4 e5 2. Nf3\nNc6 3. Bb5 Ke7\n4. Qd5 a6 1-0\n\n"
    "dear reader\n\n"
    "[Event \"no word of chess\"]\n\n1. d4 {a\nb} d5 2. c4 hello 1/2-1/2\n\n"
    "[Event \"no end\"]\n\n1. c4 {forgotten";

}  // namespace

TEST_CASE("Errors have the same place, whatever the line ends are and wherever batches are cut") {
    for (const std::string line_end : {"\n", "\r\n", "\r"}) {
        const std::string text = with_line_ends(kBroken, line_end);
        const auto at = [&](const std::string& what) { return std::to_string(text.find(what)); };
        for (const unsigned threads : {1U, 3U}) {
            for (const std::size_t batch : {1U, 50U, 100'000U}) {
                const ingest::ImportOptions options{
                    .threads = threads, .batch_bytes = batch, .read_bytes = batch};
                const Imported imported = import_text(text, options);
                CAPTURE(line_end.size(), threads, batch);
                const Rows rows = imported.rows(kErrors);
                REQUIRE(rows.size() == 4);
                CHECK_THAT(rows[0], Catch::StartsWith("2|" + at("Qd5 a6") + "|9|6|") &&
                                        Catch::EndsWith("|Qd5"));
                CHECK_THAT(rows[1], Catch::StartsWith("-|" + at("dear") + "|11|-|") &&
                                        Contains("not a game") && Contains("|dear reader"));
                CHECK_THAT(rows[2], Catch::StartsWith("3|" + at("hello") + "|16|3|") &&
                                        Catch::EndsWith("|hello"));
                CHECK_THAT(rows[3], Catch::StartsWith("4|" + at("{forgotten") + "|20|1|") &&
                                        Contains("comment without an end"));
                CHECK(imported.summary().errors == 4);
                CHECK(imported.info().errors == 4);
                CHECK(imported.rows("SELECT group_concat(plies) FROM game") == Rows{"3,6,3,1"});
                CHECK(imported.rows("SELECT group_concat(result) FROM game") == Rows{"1,1,3,0"});
            }
        }
    }
}

TEST_CASE("Places of errors count from the first byte of the file, with its byte order mark") {
    const TemporaryDirectory directory;
    const std::string text = "\xEF\xBB\xBF[Event \"a\"]\n\n1. e4 xx *\n";
    ingest::ImportOptions options;
    options.again = true;  // the same text twice
    const Imported imported({directory.write("a.pgn", text), directory.write("b.pgn", text)},
                            options);
    const std::string where = std::to_string(text.find("xx")) + "|3|1|";
    const Rows rows = imported.rows(kErrors);
    REQUIRE(rows.size() == 2);
    CHECK_THAT(rows[0], Catch::StartsWith("1|" + where));
    CHECK_THAT(rows[1], Catch::StartsWith("2|" + where));
    CHECK(imported.rows("SELECT group_concat(source) FROM import_error") == Rows{"1,2"});
    CHECK(imported.rows("SELECT group_concat(errors) FROM source") == Rows{"1,1"});
}

TEST_CASE("The text of an error is short and has no line breaks") {
    const Rows rows = errors_of("[Event \"a\"]\n\n1. e4 \x01\xFC" + std::string(5000, 'x') +
                                " *\nd\te\x1B[1mar\n");
    REQUIRE(rows.size() == 2);
    for (const std::string& row : rows) {
        CHECK(row.size() < 200);
        CHECK(row.find_first_of("\n\r\t") == std::string::npos);
    }
    CHECK_THAT(rows[0], Contains("\xC3\xBC"));
}

TEST_CASE("With --strict the first error leaves nothing behind") {
    const TemporaryDirectory directory;
    const std::string good = directory.write("good.pgn", "[Event \"a\"]\n\n1. e4 e5 1-0\n");
    const std::string bad = directory.write("bad.pgn", kBroken);
    ingest::ImportOptions strict{.strict = true};
    SECTION("in a new database") {
        const std::string path = directory / "new.db";
        CHECK_THROWS_WITH(ingest::import_files(path, {good, bad}, strict),
                          Contains(bad) && Contains("game 2") && Contains("line 9") &&
                              Contains("ply 6") && Contains("Qd5"));
        CHECK_FALSE(std::filesystem::exists(path));
        CHECK(ingest::import_files(path, {good}, strict).games == 1);
    }
    SECTION("in a database that has games") {
        Imported imported({good});
        const std::string before = imported.content();
        CHECK_THROWS_AS(imported.again({good, bad}, strict), ingest::ImportFailed);
        CHECK(imported.info().games == 1);
        CHECK(imported.info().sources == 1);
        CHECK(imported.info().errors == 0);
        CHECK(imported.content() == before);
        strict.again = true;
        CHECK(imported.again({good}, strict).games == 1);
        CHECK(imported.info().games == 2);
    }
    SECTION("also if an input cannot be read or holds no game") {
        for (const std::string& input :
             {directory.write("x.html", "<html>hello</html>\n"),
              directory.write("y.gz", "\x1F\x8B\x08 damaged"), directory / "missing.pgn"}) {
            const std::string path = directory / "b.db";
            CHECK_THROWS_WITH(ingest::import_files(path, {good, input}, strict), Contains(input));
            CHECK_FALSE(std::filesystem::exists(path));
        }
    }
}

TEST_CASE("An input without a game is a failure, and the others are imported") {
    const TemporaryDirectory directory;
    const std::string good = directory.write("good.pgn", "1. e4 e5 1-0\n");
    const auto import_with_good = [&](const std::string& input, const std::string& reason) {
        const Imported imported({input, good});
        CAPTURE(input);
        REQUIRE(imported.summary().failures.size() == 1);
        CHECK_THAT(imported.summary().failures[0], Contains(input) && Contains(reason));
        CHECK(imported.summary().games == 1);
        return imported.summary().errors;
    };
    for (const std::string& input : {
             directory.write("empty.pgn", ""),
             directory.write("blank.pgn", " \r\n\n"),
             directory.write("comment.pgn", "{ nothing but a comment }\n; and another\n"),
         }) {
        CHECK(import_with_good(input, "no game") > 0);
    }
    // Nothing is stored of a text that is not PGN, not even an error.
    for (const std::string& input : {
             directory.write("page.html",
                             "<!DOCTYPE html>\n<html><body>All of our games</body></html>\n"),
             directory.write("binary.pgn", std::string("\x7f"
                                                       "ELF\x02\x01\x01\0\0\0\x03\0\x3E",
                                                       13)),
             directory.write("picture.png", "\x89PNG\r\n\x1A\n\x01\x02\x03IHDR"),
         }) {
        CHECK(import_with_good(input, "is not PGN, no games were read from it") == 0);
    }
    CHECK(Imported({good}).summary().failures.empty());
}

TEST_CASE("A damaged archive keeps the games before the damage") {
    const TemporaryDirectory directory;
    const std::string text = test::random_archive(103, 300).text();
    for (const auto& format : pgn::test::formats()) {
        std::string bytes = format.compress(text);
        bytes.resize(bytes.size() * 2 / 3);
        const std::string file = directory.write(format.name, bytes);
        const Imported imported({file});
        CAPTURE(format.name);
        REQUIRE(imported.summary().failures.size() == 1);
        CHECK_THAT(imported.summary().failures[0], Contains(file));
        CHECK(imported.summary().games < 300);
        // The others decode whole blocks of 100 KB and more.
        if (format.name == "gzip") CHECK(imported.summary().games > 50);
        CHECK(imported.rows("SELECT complete FROM source") == Rows{"0"});
        CHECK(imported.rows("SELECT count(*) FROM import_error WHERE reason LIKE '%" + format.name +
                            "%'") == Rows{"1"});
    }
}

TEST_CASE("A comment between games that is never closed is a failure with its place") {
    const TemporaryDirectory directory;
    const std::string text = "1. e4 *\n\n{ the rest\n\n1. d4 *\n";
    const std::string file = directory.write("a.pgn", text);
    const Imported imported({file});
    REQUIRE(imported.summary().failures.size() == 1);
    CHECK_THAT(imported.summary().failures[0],
               Contains(file) && Contains("byte 9") && Contains("comment without an end"));
    CHECK(imported.summary().games == 1);
    CHECK(imported.rows("SELECT byte || '|' || complete FROM import_error, source") == Rows{"9|0"});
}

TEST_CASE("Games of unknown variants are stored but not indexed") {
    const std::string text =
        "[Event \"a\"]\n[Variant \"Bughouse\"]\n[FEN \"x\"]\n\n1. e4 e5 2. N@d4 1-0\n\n"
        "[Event \"b\"]\n\n1. e4 e5 0-1\n";
    const Imported imported = import_text(text);
    const Rows rows = imported.rows(kErrors);
    REQUIRE(rows.size() == 1);
    CHECK_THAT(rows[0], Catch::StartsWith("1|" + std::to_string(text.find("Bughouse")) + "|2|0|") &&
                            Contains("variant") && Contains("Bughouse"));
    CHECK(imported.rows("SELECT id || '|' || plies || '|' || variant || '|' || result FROM game") ==
          Rows{"1|0|7|1", "2|2|0|2"});
    const auto reader = store::file_store(imported.path())->reader();
    CHECK(reader->info().positions == 3);
    store::Candidate candidate;
    const auto cursor = reader->local()->candidates(chess::Position().key());
    REQUIRE(cursor->next(candidate));
    CHECK(candidate.game == 2);
    CHECK_FALSE(cursor->next(candidate));
    store::StoredGame game;
    REQUIRE(reader->game(1, game));
    CHECK(game.tags.size() == 3);
}

TEST_CASE("A FEN that is not a position is an error at its tag, and the game is stored") {
    const std::string text =
        "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1\"]\n[Variant \"Standard\"]\n[Event "
        "\"a\"]\n\n1. e4 e5 *\n";
    const Imported imported = import_text(text);
    const Rows rows = imported.rows(kErrors);
    REQUIRE(rows.size() == 1);
    CHECK_THAT(rows[0], Catch::StartsWith("1|" + std::to_string(text.find("rnbq")) + "|1|0|") &&
                            Contains("FEN tag") && Contains("placement"));
    CHECK(imported.rows("SELECT plies || '|' || variant FROM game") == Rows{"0|7"});
}

TEST_CASE("Wrong castling rights or squares of a FEN are left out and reported") {
    const Imported imported =
        import_text("[FEN \"4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1\"]\n\n1. O-O Kd8 1-0\n");
    const Rows rows = imported.rows(kErrors);
    REQUIRE_FALSE(rows.empty());
    for (const std::string& row : rows) CHECK_THAT(row, Contains("castling"));
    CHECK(imported.rows("SELECT plies || '|' || fen FROM game") ==
          Rows{"2|4k3/8/8/8/8/8/8/4K2R w K - 0 1"});
}

TEST_CASE("Chess960 is recognised by its tag or its starting position") {
    const std::string start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    const Imported imported =
        import_text("[FEN \"" + start +
                    "\"]\n\n1. O-O *\n\n[Variant \"Chess960\"]\n\n1. e4 *\n\n[Variant \"chess "
                    "960\"]\n[FEN \"" +
                    start + "\"]\n*\n\n[Variant \"normal\"]\n1. e4 *\n");
    CHECK(imported.rows("SELECT group_concat(variant) FROM game") == Rows{"1,1,1,0"});
}

TEST_CASE("The last word of a truncated file is not read as a move") {
    const TemporaryDirectory directory;
    const std::string text = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6";
    std::string bytes = pgn::test::gzip_member(text);
    bytes.resize(bytes.size() - 8);  // the checksum is cut off, the text is whole
    const Imported imported({directory.write("a.pgn.gz", bytes)});
    CHECK(imported.rows("SELECT plies FROM game") == Rows{"3"});
    const Rows rows = imported.rows(kErrors);
    REQUIRE(rows.size() == 2);
    CHECK_THAT(rows[0], Catch::StartsWith("1|" + std::to_string(text.size()) + "|3|3|") &&
                            Contains("cut off"));
}

TEST_CASE("A game with a run of zeros ends with an error, until the whole text is imported") {
    const TemporaryDirectory directory;
    const std::string before = test::numbered_games(1, 2000);  // zeros in its head are refused
    const std::string zeros(3000, '\0');
    const auto import = [&](const std::string& text) {
        return Imported({directory.write("a.pgn", text)});
    };
    const auto last_errors = [](const Imported& imported) {
        return imported.rows(
            "SELECT ifnull(game_id, '-') || '|' || ifnull(ply, '-') || '|' || reason"
            " FROM import_error WHERE byte > 60000 AND text = '' ORDER BY id");
    };
    const std::string cut = "game cut off: the text is damaged or too long from here";
    const std::string lacks = "zeros before this game: its beginning may be missing";
    const auto plies = [](const Imported& imported) {
        return imported.rows("SELECT plies FROM game WHERE id > 2000 ORDER BY id");
    };
    const std::string rest =
        "[Event \"x\"]\n\n1. e4 e5 2. d4 d5 1-0\n\n[Event \"y\"]\n\n1. c4 0-1\n";

    // The tail is missing.
    const std::size_t at = rest.find("d5");
    Imported imported = import(before + rest.substr(0, at) + zeros);
    CHECK(plies(imported) == Rows{"3"});
    CHECK(last_errors(imported) == Rows{"2001|3|" + cut});
    imported.again({directory.write("a.pgn", before + rest)});
    CHECK(plies(imported) == Rows{"4", "1"});
    CHECK(last_errors(imported).empty());
    CHECK(imported.info().games == 2002);

    // Two games are not read as one.
    const Imported joined =
        import(before + "[Event \"x\"]\n\n1. e4 e5 " + zeros + "2. d4 d5 1-0\n");
    CHECK(plies(joined) == Rows{"2"});
    CHECK(last_errors(joined) == Rows{"2001|2|" + cut});
    const Imported rest_of_game = import(before + zeros + " e4 e5 2. d4 d5 1-0\n");
    CHECK(plies(rest_of_game) == Rows{"4"});
    CHECK(last_errors(rest_of_game) == Rows{"2001|0|" + lacks});
    const Imported rest_of_tags = import(before + "[Event \"x\"]\n\n1. e4 " + zeros +
                                         "e \"2\"]\n[Round \"1\"]\n\n1. e4 e5 1-0\n");
    CHECK(plies(rest_of_tags) == Rows{"1", "2"});
    CHECK(last_errors(rest_of_tags) == Rows{"2001|1|" + cut, "2002|0|" + lacks});
    // A long hole is not kept in memory.
    const Imported far = import(before + std::string(3'000'000, '\0') + "e4 e5 1-0\n");
    CHECK(last_errors(far) == Rows{"2001|0|" + lacks});

    // Padding between games is none.
    CHECK(last_errors(import(before + zeros + rest + zeros)).empty());
}

TEST_CASE("A file full of errors takes no longer to import than any other") {
    const std::string record = "x\n[FEN \"no\"]\n1. e4 xx *\n";
    std::string text;
    while (text.size() < test::fewer(2'000'000U)) text += record;
    // This would take minutes if each error counted the lines before it: see line_counter_test.cpp.
    const Imported imported = import_text(text);
    const std::size_t records = text.size() / record.size();
    CHECK(imported.summary().errors == 2 * records);
    CHECK(imported.rows(
              "SELECT group_concat(line || ' ' || byte, ',') FROM (SELECT * FROM import_error"
              " ORDER BY id DESC LIMIT 2)") ==
          Rows{std::to_string(3 * records - 1) + " " +
               std::to_string(text.size() - record.size() + record.find("no")) + "," +
               std::to_string(3 * records - 2) + " " +
               std::to_string(text.size() - record.size())});
}

TEST_CASE("A game full of errors has only some of them listed, and says so") {
    const Imported imported = import_text("1. e4 " + std::string(1'000'000, ')') + "\ne5 xx 1-0\n");
    CHECK(imported.summary().errors < 200);
    CHECK(imported.rows("SELECT plies FROM game") == Rows{"2"});
    CHECK(imported.rows("SELECT count(*) FROM import_error WHERE reason LIKE 'too many%'") ==
          Rows{"1"});
    CHECK(imported.rows("SELECT line || text FROM import_error ORDER BY id DESC LIMIT 1") ==
          Rows{"2xx"});
}
