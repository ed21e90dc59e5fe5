// The beginnings and ends of games, in PGN as people write it.
#include "pgn/splitter.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "pgn/pgn_fixtures.hpp"

namespace {

using namespace fendex::pgn;
using namespace fendex::pgn::test;
using namespace std::string_literals;
using Texts = std::vector<std::string>;

Texts junk_of(std::string_view text) {
    Texts junk;
    for (const Piece& piece : pieces_of(text)) {
        if (piece.kind == Extent::Kind::kJunk) junk.push_back(piece.text);
    }
    return junk;
}

std::string with_line_ends(std::string text, std::string_view line_end) {
    std::string out;
    for (const char c : text) c == '\n' ? out += line_end : out += c;
    return out;
}

}  // namespace

TEST_CASE("Games end at their result, whatever the line ends are") {
    const std::string text = "[Event \"a\"]\n\n1. e4 e5\n2. Nf3 1-0\n\n[Event \"b\"]\n\n1. d4 *\n";
    for (const char* line_end : {"\n", "\r\n", "\r"}) {
        const auto convert = [&](const std::string& s) { return with_line_ends(s, line_end); };
        const std::vector<Piece> pieces = pieces_of(convert(text));
        REQUIRE(pieces.size() == 2);
        CHECK(pieces[0].text == convert("[Event \"a\"]\n\n1. e4 e5\n2. Nf3 1-0"));
        CHECK(pieces[0].line == 1);
        CHECK(pieces[1].text == convert("[Event \"b\"]\n\n1. d4 *"));
        CHECK(pieces[1].line == 6);
        CHECK(pieces[1].offset == convert(text).find("[Event \"b\"]"));
    }
}

TEST_CASE("A byte order mark is no part of a game, wherever files were joined") {
    CHECK(games_of("\xEF\xBB\xBF[Event \"a\"]\n\n1. e4 *\n\xEF\xBB\xBF[Event \"b\"]\n*\n") ==
          Texts{"[Event \"a\"]\n\n1. e4 *", "[Event \"b\"]\n*"});
    CHECK(junk_of("\xEF\xBB\xBF"
                  "1. e4 *")
              .empty());
    CHECK(games_of("\xEF\xBB\xBF%comment 1-0\n1. e4 *") == Texts{"1. e4 *"});
    CHECK(junk_of("\xEF\xBB\xBF%comment 1-0\n1. e4 *").empty());
}

TEST_CASE("Every termination marker ends a game") {
    CHECK(games_of("e4 1-0 d4 0-1 c4 1/2-1/2 f4 1/2 g4 * h4") ==
          Texts{"e4 1-0", "d4 0-1", "c4 1/2-1/2", "f4 1/2", "g4 *", "h4"});
    CHECK(games_of("1.e4* 1.d4{x}*{y}1.c4$1*") == Texts{"1.e4*", "1.d4{x}*", "1.c4$1*"});
    SECTION("but only as a word of its own") {
        CHECK(games_of("1. e4 a1-0 1-0x 1-01 *2. d4 *").size() == 1);
        CHECK(games_of("1. e4 0-0 0-0-0 1-0").size() == 1);
    }
}

TEST_CASE("A termination marker ends a game at any offset in the moves") {
    const std::string moves = "1. e4 e5 2. Nf3+ Nc6 10. exd8=Q+ O-O 11. Bb5! a6 $14 ";
    for (const char* marker : {"1-0", "0-1", "1/2-1/2", "*", "\xC2\xBD-\xC2\xBD", "+--\n\n"}) {
        for (std::size_t blanks = 0; blanks < 20; ++blanks) {
            const std::string game = moves + std::string(blanks, ' ') + marker;
            INFO(game);
            CHECK(games_of(game + " " + moves + "*").size() == 2);
        }
    }
    SECTION("and tags and comments are found at any offset, too") {
        for (std::size_t blanks = 0; blanks < 20; ++blanks) {
            const std::string text = moves + std::string(blanks, ' ');
            CHECK(games_of(text + "{1-0}" + moves + "(1-0)" + text + ";1-0\n" + text).size() == 1);
            CHECK(games_of(text + "[White \"a\"]\n" + moves).size() == 2);
        }
    }
}

TEST_CASE("Games need no blank lines between them") {
    const Texts expected{"[Event \"a\"]\n1. e4 1-0", "[Event \"b\"]\n1. d4 0-1",
                         "[White \"c\"]\n*"};
    CHECK(games_of("[Event \"a\"]\n1. e4 1-0\n[Event \"b\"]\n1. d4 0-1\n[White \"c\"]\n*\n") ==
          expected);
    CHECK(games_of("[Event \"a\"]\n1. e4 1-0[Event \"b\"]\n1. d4 0-1[White \"c\"]\n*") == expected);
}

TEST_CASE("A game without a result ends at the next one's tags") {
    CHECK(games_of("[Event \"a\"]\n\n1. e4 e5\n\n[Event \"b\"]\n\n1. d4\n") ==
          Texts{"[Event \"a\"]\n\n1. e4 e5\n\n", "[Event \"b\"]\n\n1. d4\n"});
    CHECK(games_of("1. e4 e5 [White \"a\"] 1. d4") == Texts{"1. e4 e5 ", "[White \"a\"] 1. d4"});
}

TEST_CASE("Games without tags begin at a number, a move or a result") {
    for (const char* game : {"1. e4 e5", "1.e4 e5", "1 e4 e5", "e4 e5", "1... e5", "12.Nf3", "O-O",
                             "0-0-0", "o-o", "O\xE2\x80\x93O", "--", "Z0", "e2e4", "e2-e4", "Ng1f3",
                             "Nxf3", "exd5", "P-K4 e4", "1. -- e5"}) {
        CAPTURE(game);
        const bool begins = std::string(game) != "P-K4 e4";  // descriptive notation is not read
        CHECK((games_of(std::string(game) + " *") == Texts{std::string(game) + " *"}) == begins);
    }
    CHECK(games_of("1-0\n0-1\n*\n") == Texts{"1-0", "0-1", "*"});
}

TEST_CASE("Games without moves are games") {
    SECTION("with a result") {
        CHECK(games_of("[Event \"a\"]\n\n1-0\n\n[Event \"b\"]\n\n*\n") ==
              Texts{"[Event \"a\"]\n\n1-0", "[Event \"b\"]\n\n*"});
    }
    SECTION("without a result") {
        const Texts games =
            games_of("[Event \"a\"]\n[Site \"x\"]\n\n[Event \"b\"]\n[Site \"y\"]\n\n");
        REQUIRE(games.size() == 2);
        CHECK(games[0] == "[Event \"a\"]\n[Site \"x\"]\n\n");
    }
    SECTION("with another first tag than Event") {
        CHECK(
            games_of("[White \"a\"]\n[Black \"b\"]\n\n[White \"c\"]\n[Black \"d\"]\n\n*").size() ==
            2);
        CHECK(games_of("[White \"a\"]\n[Black \"b\"]\n[White \"c\"]\n\n*").size() == 1);
    }
    SECTION("without a blank line between them") {
        CHECK(games_of("[Event \"a\"]\n[Site \"x\"]\n[Event \"b\"]\n[Site \"y\"]\n").size() == 2);
    }
}

TEST_CASE("A blank line between tags does not end the game") {
    CHECK(games_of("[Event \"a\"]\n\n[Site \"x\"]\n\n\n[White \"b\"]\n\n1. e4 *").size() == 1);
}

TEST_CASE("A tag pair without quotes does not end the game") {
    for (const char* line_end : {"\n", "\r\n"}) {
        const std::string text = with_line_ends(
            "[Event \"a\"]\n[FEN 8/8/8/8/8/8/8/K1k5 w - - 0 1]\n[SetUp \"1\"]\n[Bad\n[White "
            "\"b\"]\n"
            "\n1. Ka2 *\n",
            line_end);
        CHECK(games_of(text).size() == 1);
    }
}

TEST_CASE("A doubled closing bracket does not end the game") {
    CHECK(games_of("[Event \"a\"]]\n[White \"b\"] ]\n\n1. e4 *\n").size() == 1);
}

TEST_CASE("A tag pair that is never closed ends with its line") {
    CHECK(games_of("[Event \"a]\n[Site \"b\"\n[White \"c\n\n1. e4 *\n[Event \"d\"]\n*").size() ==
          2);
}

TEST_CASE("Brackets and results inside a tag value are part of the value") {
    CHECK(games_of("[Event \"1-0 [a] {b (c ; d\"]\n[Site \"] * [Event \"]\n1. e4 1-0\n") ==
          Texts{"[Event \"1-0 [a] {b (c ; d\"]\n[Site \"] * [Event \"]\n1. e4 1-0"});
}

TEST_CASE("Results, tags and parentheses in comments are ignored") {
    CHECK(games_of("1. e4 {1-0 [Event \"x\"] ; ) ( %} e5 {a {b {c} 1-0} * } 2. Nf3 *").size() == 1);
    CHECK(games_of("1. e4 ; 1-0 { ( \n e5 *\n").size() == 1);
    CHECK(games_of("1. e4\n% 1-0 { (\ne5 *\n").size() == 1);
    CHECK(games_of("1. e4 {\n\n[Site \"x\"]\n\n1-0 } e5 *").size() == 1);
    SECTION("an inner brace opens a comment only if a second closing brace follows") {
        CHECK(games_of("1. e4 {a {b} 1-0 } e5 *").size() == 1);
        CHECK(games_of("1. e4 {a {b} 1-0 {c} e5 *").size() == 2);
        CHECK(games_of("1. e4 {a {b} 1-0 e5 *").size() == 2);
    }
    SECTION("a percent sign inside a line begins no comment") {
        CHECK(games_of("1. e4 % 1-0\n1. d4 *").size() == 2);
    }
    SECTION("comments before and between games belong to no game") {
        CHECK(games_of("{ a } ; b\n% c\n1. e4 * {d} 1. d4 *") == Texts{"1. e4 *", "1. d4 *"});
        CHECK(junk_of("{ a } ; b\n% c\n1. e4 * {d} 1. d4 *").empty());
    }
}

TEST_CASE("Results inside variations do not end the game") {
    CHECK(
        games_of("1. e4 (1. d4 1-0) e5 (1... c5 (1... c6 *) 0-1 {)} 1/2-1/2) 2. Nf3 1-0 1. d4 *") ==
        Texts{"1. e4 (1. d4 1-0) e5 (1... c5 (1... c6 *) 0-1 {)} 1/2-1/2) 2. Nf3 1-0", "1. d4 *"});
    SECTION("a promotion in parentheses opens no variation") {
        CHECK(games_of("1. e8(Q) d1(N) 1-0 1. d4 *").size() == 2);
        CHECK(games_of("1. e4 (1. e8(Q) 1-0) d1=N 1-0 1. d4 *").size() == 2);
    }
    SECTION("an extra closing parenthesis is ignored") {
        CHECK(games_of("1. e4 ) e5 1-0 1. d4 *").size() == 2);
    }
    SECTION("a variation that is never closed ends with the game's text") {
        CHECK(games_of("1. e4 (1. d4 1-0\n\n[Event \"b\"]\n\n1. c4 *").size() == 2);
    }
}

TEST_CASE("A comment that is never closed ends at the beginning of the next game") {
    for (const char* line_end : {"\n", "\r\n", "\r"}) {
        CHECK(games_of(with_line_ends(
                  "[Event \"a\"]\n\n1. e4 {gone\n\n[Event \"b\"]\n\n1. d4 {x} *\n", line_end)) ==
              Texts{with_line_ends("[Event \"a\"]\n\n1. e4 {gone\n\n", line_end),
                    with_line_ends("[Event \"b\"]\n\n1. d4 {x} *", line_end)});
    }
    CHECK(games_of("1. e4 {gone [Event \"b\"] *\n} *").size() == 1);
}

TEST_CASE("A game that was pasted into a comment belongs to the comment") {
    const std::string pasted = "[Event \"b\"]\n[Site \"c\"]\n\n1. d4 d5 1/2-1/2\n";
    const std::string text = "[Event \"a\"]\n\n1. e4 {compare\n" + pasted + pasted + "} e5 1-0";
    CHECK(games_of(text + "\n\n" + pasted).size() == 2);
    const Recorder game = read(text);
    CHECK(game.moves == Texts{"e4", "e5"});
    CHECK(game.problems.empty());
    SECTION("a pasted game may have comments of its own") {
        const std::string with_comments =
            "[Event \"b\"]\n\n1. d4 {best} d5 (1... Nf6 {[%clk 0:01:02]}) {as in\n" + pasted +
            "} 1/2-1/2\n";
        const std::string outer =
            "[Event \"a\"]\n\n1. e4 {compare\n" + with_comments + with_comments + "} e5 1-0";
        CHECK(games_of(outer + "\n\n" + with_comments).size() == 2);
        const Recorder outer_game = read(outer);
        CHECK(outer_game.moves == Texts{"e4", "e5"});
        CHECK(outer_game.problems.empty());
    }
    SECTION("a comment outside games may hold games, too") {
        CHECK(games_of("{compare\n" + pasted + "}\n" + pasted).size() == 1);
    }
    SECTION("a comment that is never closed ends before games with comments") {
        CHECK(games_of("1. e4 {gone\n" + pasted + "\n[Event \"d\"]\n\n1. c4 {x} *").size() == 3);
    }
    SECTION("a brace too far away does not close the comment") {
        std::string games;
        while (games.size() < kPastedGame) games += pasted + "\n";
        CHECK(games_of("1. e4 {gone\n" + games + "1. c4 } *").size() > 100);
    }
}

TEST_CASE("A game that is broken off by the end of the file is still a game") {
    for (const char* text : {"[Event \"a\"]\n\n1. e4 {gone", "[Event \"a\"]\n\n1. e4 (1. d4",
                             "[Event \"a", "[Event \"a\"", "[Event \"", "1. e4 ; gone", "1. e4\n%",
                             "[Event \"a\"]", "1. e4 e5 2. N"}) {
        CAPTURE(text);
        CHECK(games_of(text) == Texts{text});
        CHECK_FALSE(pieces_of(text)[0].truncated);
    }
}

TEST_CASE("A result that is written twice ends only one game") {
    CHECK(games_of("1. e4 1-0 1-0\n1. d4 0-1 0-1 *") == Texts{"1. e4 1-0", "1. d4 0-1"});
    CHECK(games_of("[Event \"a\"]\n1. e4 1-0 1-0\n[Event \"b\"]\n*\n").size() == 2);
    SECTION("a result on a line of its own is a game") {
        CHECK(games_of("1. e4 1-0\n1-0\n").size() == 2);
    }
}

TEST_CASE("An evaluation after the result is neither a game nor text outside games") {
    for (const std::string said : {"+--", "--+", "+-", "±", "+−", "⩲", "∞", "=", "!", "$16",
                                   "$16 $2", "1-0 +--", "½-½", "\xB1", "(+-)"}) {
        CAPTURE(said);
        const std::string text = "[Event \"a\"]\n\n1. e4 1-0 " + said + "\n\n[Event \"b\"]\n*\n";
        CHECK(games_of(text) == Texts{"[Event \"a\"]\n\n1. e4 1-0", "[Event \"b\"]\n*"});
        CHECK(junk_of(text).empty() == (said != "(+-)"));
    }
    SECTION("an evaluation on a line of its own is text outside games") {
        CHECK(junk_of("1. e4 1-0\n+-\n") == Texts{"+-\n"});
    }
    SECTION("words after the result are text outside games") {
        CHECK(junk_of("1. e4 1-0 +-4 and more\n") == Texts{"+-4 and more\n"});
    }
}

TEST_CASE("NUL bytes are blanks") {
    CHECK(games_of("\0\0[Event\0\"a\"]\0\n\n1.\0e4\0*\0\0\n"s) ==
          Texts{"[Event\0\"a\"]\0\n\n1.\0e4\0*"s});
    CHECK(junk_of(std::string(10'000, '\0')).empty());
}

TEST_CASE("The end-of-file mark of DOS is a blank") {
    CHECK(games_of("[Event \"a\"]\r\n\r\n1. e4 e5 1-0\r\n\x1A") ==
          Texts{"[Event \"a\"]\r\n\r\n1. e4 e5 1-0"});
    CHECK(junk_of("1. e4 e5 1-0\x1A").empty());
    CHECK(games_of("1. e4 *\n\x1A"
                   "1. d4 *\n")
              .size() == 2);  // files put together
}

TEST_CASE("Text that is not PGN is reported and becomes no game") {
    SECTION("HTML") {
        const std::string html =
            "<!DOCTYPE html>\n<html><head><style>body { color: red }</style></head>\n"
            "<body><a href=\"x.html\">All of our games</a>, (c) 2020 [1]</body></html>\n";
        CHECK(games_of(html).empty());
        CHECK_FALSE(junk_of(html).empty());
    }
    SECTION("a binary file") {
        std::mt19937 random(1);
        std::string binary =
            "\x7f"
            "ELF";
        while (binary.size() < 3000) {
            const char c = static_cast<char>(random() % 256);
            if (c != '[' && c != '*' && c != '\n' && c != '\r') binary += c;
        }
        CHECK_FALSE(junk_of(binary).empty());
    }
    SECTION("text before, between and after games") {
        CHECK(junk_of("Dear all,\n[Event \"a\"]\n1. e4 *\nmore below\n1. d4 *\nYours, X. Y.") ==
              Texts{"Dear all,\n", "more below\n", "Yours, X. Y."});
        CHECK(games_of("Dear all,\n[Event \"a\"]\n1. e4 *\nmore below\n1. d4 *\nYours, X. Y.") ==
              Texts{"[Event \"a\"]\n1. e4 *", "1. d4 *"});
    }
    SECTION("an empty or blank text has nothing to report") {
        CHECK(pieces_of("").empty());
        CHECK(pieces_of(" \r\n\t\n").empty());
    }
}

TEST_CASE("unclosed_comment() finds a comment outside games that is never closed") {
    const auto unclosed = [](std::string_view text, std::size_t read_bytes) {
        TextSource source(text);
        Splitter splitter(source, {.read_bytes = read_bytes});
        Batch batch;
        while (splitter.next(batch)) {
        }
        return splitter.unclosed_comment();
    };
    for (const std::size_t read_bytes : {1U, 3U, 1U << 20}) {
        const std::string tail(3000, 'x');
        CHECK(unclosed("1. e4 *\n\n{ the rest\n1. d4 *\n" + tail, read_bytes) == 9U);
        CHECK(unclosed("junk { the rest", read_bytes) == 5U);
        CHECK_FALSE(unclosed("1. e4 *\n\n{ closed }\n1. d4 *\n" + tail, read_bytes));
        CHECK_FALSE(unclosed("{ no end\n[Event \"a\"]\n\n*\n", read_bytes));
        // Inside a game the reader reports it.
        CHECK_FALSE(unclosed("1. e4 { no end", read_bytes));
    }
}

TEST_CASE("After a read error nothing that was read before it is lost") {
    const std::string text = "[Event \"a\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. d4 d5 2. c4 e6";
    constexpr std::size_t kReadBytes = 64;  // more than the text
    REQUIRE(text.size() <= kReadBytes);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{5}, std::size_t{30}, kReadBytes}) {
        const std::size_t reads = (text.size() + piece - 1) / piece;
        for (const std::size_t failing : {1U, 2U, 3U, 12U, 20U, 21U, 22U, 40U, 60U, 1000U}) {
            for (const std::size_t batch :
                 {std::size_t{1}, std::size_t{10}, std::size_t{100'000}}) {
                CAPTURE(piece, failing, batch);
                TextSource source(text, piece, failing);
                const SplitOutcome outcome =
                    split(source, {.batch_bytes = batch, .read_bytes = kReadBytes});
                // One more read finds the end.
                const bool fails = failing <= reads + 1;
                CHECK(outcome.failure == (fails ? "the disk is on fire" : ""));
                const std::size_t delivered = std::min(text.size(), (failing - 1) * piece);
                std::vector<Piece> expected =
                    pieces_of(std::string_view(text).substr(0, delivered));
                // The last game is marked as truncated, because it may end in half a move.
                if (fails && !expected.empty() && !expected.back().text.ends_with("1-0")) {
                    expected.back().truncated = expected.back().kind == Extent::Kind::kGame;
                }
                CHECK((outcome.pieces == expected));
            }
        }
    }
}

TEST_CASE("A splitter throws again at each call after its source has failed") {
    TextSource source("1. e4 *", 3, 2);
    Splitter splitter(source);
    Batch batch;
    REQUIRE(splitter.next(batch));
    CHECK(batch.text == "1. ");
    CHECK_THROWS_AS(splitter.next(batch), SourceError);
    CHECK_THROWS_AS(splitter.next(batch), SourceError);
}

TEST_CASE("A batch has its offset and its line in the text") {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "[Event \"" + std::to_string(i) + "\"]\n\n1. e4 *\n\n";
    TextSource source(text);
    Splitter splitter(source, {.batch_bytes = 200, .read_bytes = 50});
    Batch batch;
    std::size_t games = 0;
    std::uint64_t compressed = 0;
    while (splitter.next(batch)) {
        games += batch.games();
        CHECK(text.compare(batch.stream_offset, batch.text.size(), batch.text) == 0);
        CHECK(batch.first_line == line_at(text, batch.stream_offset));
        CHECK(batch.compressed_offset >= compressed);
        compressed = batch.compressed_offset;
        CHECK(batch.text.size() < 200 + kLookahead + 100);
    }
    CHECK(games == 100);
    CHECK(compressed == text.size());
}

TEST_CASE("A batch keeps to its limit of games, however short they are") {
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += "1. e4 *\n";
    const auto most_games = [&](SplitterOptions options) {
        TextSource source(text);
        Splitter splitter(source, options);
        Batch batch;
        std::size_t games = 0;
        std::size_t most = 0;
        while (splitter.next(batch)) {
            CHECK(text.compare(batch.stream_offset, batch.text.size(), batch.text) == 0);
            CHECK(batch.first_line == line_at(text, batch.stream_offset));
            CHECK(batch.checkpoint.byte >= batch.stream_offset);
            games += batch.games();
            most = std::max(most, batch.games());
        }
        CHECK(games == 10'000);
        CHECK(splitter.checkpoint().byte == text.size() - 1);  // the end of the last game
        return most;
    };
    CHECK(most_games({}) == 4096);
    CHECK(most_games({.batch_games = 7, .read_bytes = 1000}) == 7);
}
