// Inputs that are not PGN are refused before anything is stored.
#include <catch2/catch.hpp>

#include "chess/position.hpp"
#include "ingest/ingest_fixtures.hpp"
#include "pgn/source_fixtures.hpp"
#include "store/sqlite/file_store.hpp"

namespace {

using namespace fendex;
using namespace std::string_literals;
using Catch::Contains;
using test::Imported;
using test::TemporaryDirectory;
using Rows = std::vector<std::string>;

constexpr char kGame[] = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 1-0\n";

std::string prose(std::size_t size) {
    std::string out;
    while (out.size() < size) out += "This is a README, and no game.\n";
    return out;
}

}  // namespace

TEST_CASE("An input that is not PGN is refused, and the others are imported") {
    const std::vector<std::pair<std::string, std::string>> foreign{
        {"SQLite format 3\0\x40\0\x01\x01 [Event \"a\"]"s, "an SQLite database"},
        {"\x7f"
         "ELF\x02\x01\x01\0\0\0"s,
         "a program (ELF)"},
        {"%PDF-1.4\n1. e4 e5 2. Nf3 Nc6\n", "a PDF document"},
        {"GIF89a\0\x01 e4 e5 Nf3 Nc6"s, "a binary file"},
        {"1\0.\0 \0e\0004\0 \0e\0005\0 \0*\0"s, "iconv -f UTF-16LE"},
        {"\0[\0E\0v\0e\0n\0t\0 \0\"\0a\0\"\0]\0 \0*"s, "iconv -f UTF-16BE"},
        {"\0\0[Event\0\"a\"]\n1.\0e4 *\0\0\0"s, "text with NUL bytes"},
        {kGame + prose(60'000) + '\0', "text with NUL bytes"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n"
         "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2\n",
         "a list of positions"},
        {"\n4k3/8/8/8/8/8/8/4K2R w K -\n", "a list of positions"},
        {prose(2000), "text without games"},
        {prose(200) + "Begin with\ne4 e5\nand go on.\n", "text without games"},
        {prose(70'000) + kGame, "text without games"},
        {"e9 Qxf7 *\n", "text without games"},
        {"Dear Sir,\n*\n", "text without games"},
    };
    for (const auto& [text, what] : foreign) {
        CAPTURE(what, text.substr(0, 100));
        const TemporaryDirectory directory;
        const std::string bad = directory.write("bad.pgn", text);
        const Imported imported({bad, directory.write("good.pgn", kGame)});
        REQUIRE(imported.summary().failures.size() == 1);
        CHECK_THAT(imported.summary().failures[0],
                   Contains(bad + ": is not PGN") && Contains(what));
        CHECK(imported.summary().games == 1);
        CHECK(imported.summary().errors == 0);
        CHECK(imported.rows("SELECT count(*) FROM source") == Rows{"1"});
        CHECK(imported.rows("SELECT count(*) FROM import_error") == Rows{"0"});
        const ingest::ImportOptions strict{.strict = true};
        CHECK_THROWS_AS(Imported({bad}, strict), ingest::ImportFailed);
    }
}

TEST_CASE("A text with a tag pair or legal moves is PGN, whatever else it contains") {
    for (const std::string& text :
         {"e4"s, "1. e4 e5 *"s, "*\n1-0\n"s, prose(200) + "1. e4 e5 2. Nf3 Nc6 *\n",
          prose(60'000) + kGame, "[Event \"a\"]"s, "{a comment} [White \"b\"]\n*\n"s,
          kGame + prose(70'000) + '\0', "1. Cf3 d5 2. Cc3 *"s, "<html><pre>\n"s + kGame}) {
        CAPTURE(text.substr(0, 100));
        const TemporaryDirectory directory;
        const Imported imported({directory.write("a.pgn", text)});
        CHECK(imported.summary().failures.empty());
        CHECK(imported.summary().games > 0);
    }
}

TEST_CASE("An empty input is a failure, and no game is stored") {
    for (const std::string& text : {""s, "\n\n \n"s, "{a comment}\n; another\n% escaped\n"s}) {
        CAPTURE(text);
        const TemporaryDirectory directory;
        const Imported imported({directory.write("a.pgn", text)});
        REQUIRE(imported.summary().failures.size() == 1);
        CHECK_THAT(imported.summary().failures[0], Contains("no game found"));
        CHECK(imported.summary().games == 0);
    }
}

TEST_CASE("A damaged archive is reported as damaged, not as other than PGN") {
    const TemporaryDirectory directory;
    std::string bytes = pgn::test::gzip_member("no games, but ten thousand words " + prose(5000));
    bytes.resize(bytes.size() - 12);
    const Imported imported({directory.write("a.pgn.gz", bytes)});
    REQUIRE(imported.summary().failures.size() == 1);
    CHECK_THAT(imported.summary().failures[0], Contains("cut off"));
}

TEST_CASE("A UTF-16 file is imported, resumed after an interruption and recognised again") {
    const test::PgnArchive archive = test::random_archive(7, 60);
    const auto utf16 = [](const std::string& text) {
        std::string out = "\xFF\xFE";
        for (const char c : text) out += {c, '\0'};
        return out;
    };
    const TemporaryDirectory directory;
    const std::string path = directory.write("a.pgn", utf16(archive.text(0, 40)));
    Imported imported({path});
    CHECK(imported.summary().failures.empty());
    CHECK(imported.info().games == 40);
    directory.write("a.pgn", utf16(archive.text()));
    imported.again({path});
    CHECK(imported.info().games == 60);
    CHECK(imported.info().fingerprint == archive.fingerprint());
    CHECK(imported.again({path}).known_sources == 1);
}

TEST_CASE("Results with any dash are read, and their tags stay unchanged") {
    const TemporaryDirectory directory;
    const Imported imported({directory.write(
        "a.pgn",
        "[Result \"1–0\"]\n\n1. e4 1–0\n\n[Result \"½–½\"]\n\n1. e4 *\n\n[Result \"0−1\"]\n\n1. "
        "e4\n\n"
        "[White \"a\"]\n\n1. e4 ½-½\n\n[White \"b\"]\n\n+--\n\n[White \"c\"]\n\n--+\n\n"
        "[Result \" 1 - 0 \"]\n\n*\n\n[Result \"+--\"]\n\n*\n\n[Result \"1–0 (40)\"]\n\n*\n")});
    CHECK(imported.summary().errors == 0);
    CHECK(imported.rows("SELECT group_concat(result) FROM game") == Rows{"1,3,2,3,1,2,1,1,0"});
    store::StoredGame game;
    REQUIRE(store::file_store(imported.path())->reader()->game(1, game));
    CHECK((game.tags == std::vector<std::pair<std::string, std::string>>{{"Result", "1–0"}}));
}

TEST_CASE("Castling rights that standard chess does not have are dropped") {
    const std::string start = "r5k1/8/8/8/8/8/8/R3K2R w KQq - 0 1";
    const auto variants_and_starts = [](const std::string& text) {
        const TemporaryDirectory directory;
        const Imported imported({directory.write("a.pgn", text)});
        Rows rows = imported.rows("SELECT variant || ' ' || fen || ' ' || plies FROM game");
        for (const std::string& row :
             imported.rows("SELECT iif(severity, 'warning: ', '') || reason FROM import_error")) {
            rows.push_back(row);
        }
        return rows;
    };
    const std::string said =
        "warning: FEN tag, castling: 'q': the king is not on the e-file: left out";
    for (const std::string tag : {"", "[Variant \"Standard\"]\n", "[Variant \"?\"]\n"}) {
        CAPTURE(tag);
        CHECK(variants_and_starts(tag + "[FEN \"" + start + "\"]\n\n1. O-O Kh7 *\n") ==
              Rows{"0 r5k1/8/8/8/8/8/8/R3K2R w KQ - 0 1 2", said});
    }
    CHECK(
        variants_and_starts("[FEN \"4k2r/8/8/8/8/8/8/1R2K2R w KQk - 0 1\"]\n\n1. Ke2 O-O *\n")[0] ==
        "0 4k2r/8/8/8/8/8/8/1R2K2R w Kk - 0 1 2");
    SECTION("Chess960 games keep them") {
        CHECK(variants_and_starts("[Variant \"Chess960\"]\n[FEN \"" + start +
                                  "\"]\n\n1. Ra2 O-O-O *\n") == Rows{"1 " + start + " 2"});
    }
    SECTION("games without a Variant tag keep them if files of rooks or an array show Chess960") {
        CHECK(variants_and_starts("[FEN \"r5k1/8/8/8/8/8/8/R3K2R w HAa - 0 1\"]\n\n1. O-O *\n") ==
              Rows{"1 " + start + " 1"});
        const std::string array = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
        CHECK(variants_and_starts("[FEN \"" + array + "\"]\n\n1. e4 *\n") ==
              Rows{"1 " + array + " 1"});
        CHECK(variants_and_starts("[Variant \"Standard\"]\n[FEN \"" + array + "\"]\n\n1. e4 *\n")
                  .size() == 5);
    }
}

TEST_CASE("A game with a warning and an error is stored with the error, and refused by --strict") {
    const std::string tags = "[FEN \"r5k1/8/8/8/8/8/8/R3K2R w KQq - 0 1\"]\n\n";
    for (const bool broken : {false, true}) {
        CAPTURE(broken);
        const TemporaryDirectory directory;
        const std::string pgn =
            directory.write("a.pgn", tags + (broken ? "1. O-O Qh4 *\n" : "1. O-O *\n"));
        const Imported imported({pgn});
        CHECK(imported.summary().warnings == 1);
        CHECK(imported.summary().errors == (broken ? 1 : 0));
        CHECK(imported.rows("SELECT severity || ' ' || (pgn IS NOT NULL) FROM import_error"
                            " ORDER BY id") == (broken ? Rows{"1 0", "0 1"} : Rows{"1 0"}));
        const ingest::ImportOptions strict{.strict = true};
        const auto import = [&] {
            return ingest::import_files(directory / "strict.db", {pgn}, strict).games;
        };
        if (broken) {
            CHECK_THROWS_AS(import(), ingest::ImportFailed);
        } else {
            CHECK(import() == 1);
        }
    }
}

TEST_CASE("Warnings are counted apart from errors") {
    const TemporaryDirectory directory;
    const std::string archive = pgn::test::gzip_member(kGame) + "no archive";
    const Imported imported({directory.write("a.pgn.gz", archive)});
    CHECK(imported.summary().failures.empty());
    CHECK(imported.summary().oddities.size() == 1);
    CHECK(imported.summary().errors == 0);
    CHECK(imported.summary().warnings == 1);
    CHECK(imported.info().errors == 0);
    CHECK(imported.info().warnings == 1);
}
