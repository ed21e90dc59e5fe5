// Reading the text of games, in PGN as people write it.
#include "pgn/reader.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "pgn/pgn_fixtures.hpp"

namespace {

using namespace fendex::pgn;
using namespace fendex::pgn::test;
using namespace std::string_literals;
using Words = std::vector<std::string>;
using Tags = std::vector<std::pair<std::string, std::string>>;

Words moves_of(std::string_view text) {
    const Recorder recorder = read(text);
    CHECK(recorder.problems.empty());
    return recorder.moves;
}

Words reasons_of(const Recorder& recorder) {
    Words reasons;
    for (const auto& problem : recorder.problems) reasons.push_back(problem.first);
    return reasons;
}

/// Reads from a buffer of exactly the text's size, so that a sanitizer notices any access outside
/// it.
Recorder read_exactly(std::string_view text, bool truncated) {
    const auto buffer = std::make_unique<char[]>(text.size());
    std::copy(text.begin(), text.end(), buffer.get());
    return read({buffer.get(), text.size()}, truncated);
}

}  // namespace

TEST_CASE("left_out() gets skipped annotations outside variations while moves are wanted") {
    struct Counter : Recorder {
        void left_out(Annotation what, std::string_view text) {
            told.push_back("cgv"[static_cast<unsigned>(what)] + std::string(text));
        }
        Words told;
    };
    const auto told = [](std::string_view text, std::size_t limit = 100) {
        Counter counter;
        counter.begin = text.data();
        counter.limit = limit;
        read_game(text, false, counter);
        return counter.told;
    };
    CHECK(told("; a\n[White \"x\"]\n\n{b} 1. e4! {[%clk 1]} $14 (1. d4 {x} $1 (1. c4)) e5 +- ; c\n"
               "2. Nf3!?+/- Nc6+ 3. Bb5 \xC2\xB1 ... a6 1-0 {d}") ==
          Words{"c a", "cb", "g!", "c[%clk 1]", "g$14", "v(1. d4 {x} $1 (1. c4))", "g+-", "c c",
                "g!?", "g+/-", "g$16", "cd"});
    CHECK(told("1. e4 e5 2. Nf3+ O-O 1-0").empty());
    CHECK(told("1. e4 {a} e5 {b} (x) $1", 2) == Words{"ca"});
}

TEST_CASE("Move numbers may be written in any way, or not at all") {
    const Words expected{"e4", "e5", "Nf3", "Nc6"};
    for (const std::string& text :
         {"1. e4 e5 2. Nf3 Nc6 *"s, "1.e4 e5 2.Nf3 Nc6 *"s, "1 e4 e5 2 Nf3 Nc6 *"s,
          "e4 e5 Nf3 Nc6"s, "1. e4 1... e5 2. Nf3 2... Nc6"s, "1.e4 ...e5 2.Nf3 ... Nc6"s,
          "1.\ne4\n1\n...\ne5\n2\n.\nNf3\nNc6"s, "01. e4 e5 0002. Nf3 Nc6"s,
          "1.e4 e5 2.Nf3\r\nNc6"s, "1.\te4\ve5\f2.\0Nf3 Nc6"s, "1. e4 .. e5 2.. Nf3 Nc6"s,
          "1. e4 , e5 2. Nf3 ,Nc6"s, "123456789012345678901234567890. e4 e5 2. Nf3 Nc6"s}) {
        CAPTURE(text);
        CHECK(moves_of(text) == expected);
    }
}

TEST_CASE("No blank is needed between a move and what follows it") {
    CHECK(moves_of("e4{x}e5;y\nNf3(Nc3)Nc6$1Bb5[a6]*") ==
          Words{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6"});
    CHECK(moves_of("1.e4{x}1...e5{y}2.Nf3*") == Words{"e4", "e5", "Nf3"});
    CHECK(moves_of("{x}e4{}{}e5{y}") == Words{"e4", "e5"});
}

TEST_CASE("Castling is a move in every spelling, never a number or a result") {
    const Words expected{"O-O",
                         "0-0",
                         "o-o",
                         "0-0-0",
                         "O-O-O",
                         "O\xE2\x80\x93O",
                         "0\xE2\x80\x93"
                         "0"};
    CHECK(moves_of("O-O 0-0 o-o 0-0-0 O-O-O O\xE2\x80\x93O 0\xE2\x80\x93"
                   "0 *") == expected);
    CHECK(moves_of("8.0-0 0-0 9. O-O O-O+") == Words{"0-0", "0-0", "O-O", "O-O+"});
    CHECK(moves_of("8...0-0 8... 0-0 ...0-0 ... O-O") == Words{"0-0", "0-0", "0-0", "O-O"});
    CHECK(moves_of("8. 00 000 0000") == Words{"00", "000", "0000"});
    CHECK(moves_of("0-0{castles}0-0-0(O-O)1-0") == Words{"0-0", "0-0-0"});
}

TEST_CASE("A suffix attached to a move belongs to it, and one that stands alone is skipped") {
    CHECK(moves_of("e4! e5!? Nf3+ Nc6# Bb5++ a6?? Ba4!!+ d6?!") ==
          Words{"e4!", "e5!?", "Nf3+", "Nc6#", "Bb5++", "a6??", "Ba4!!+", "d6?!"});
    CHECK(moves_of("e4 ! e5 !? Nf3 + Nc6 = Bb5 # a6 ?? Ba4 ?!d6") ==
          Words{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "d6"});
    CHECK(moves_of("e4 +/- e5 -/+ Nf3 += Nc6 =+ Bb5 +- a6 -+ Ba4 - d6 +0.35 O-O -- e3 -") ==
          Words{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "d6", "O-O", "--", "e3"});
}

TEST_CASE("Promotions and captures en passant are words") {
    CHECK(moves_of("e8=Q e8Q e8(Q) e8/Q e8(Q)+ d1(n)# dxe8(R) e7e8q e8=(Q)") ==
          Words{"e8=Q", "e8Q", "e8(Q)", "e8/Q", "e8(Q)+", "d1(n)#", "dxe8(R)", "e7e8q", "e8=(Q)"});
    CHECK(moves_of("exd6e.p. exd6 e.p. exd6ep exd6 ep exd6 e.p.+ exd6 ep. exd6 ep! ed6") ==
          Words{"exd6e.p.", "exd6", "exd6ep", "exd6", "exd6", "exd6", "exd6", "ed6"});
    // The ellipsis after a number, in UTF-8 and in Windows-1252; figurines begin with the same
    // byte.
    CHECK(moves_of("1.e4 1\u2026 e5 2.\u2658f3 2\x85 d6") == Words{"e4", "e5", "\u2658f3", "d6"});
    CHECK(moves_of("e8(Qd8) e8(B)(Ke2) Kd2") == Words{"e8", "e8(B)", "Kd2"});
}

TEST_CASE("Null moves are moves") {
    CHECK(moves_of("1. e4 -- 2. Z0 @@@@ 3. e5") == Words{"e4", "--", "Z0", "@@@@", "e5"});
    CHECK(moves_of("1.-- --{x} 2.Z0") == Words{"--", "--", "Z0"});
}

TEST_CASE("Comments are skipped, whatever is in them") {
    CHECK(moves_of("e4 {; ) ( % [Event \"x\"] 1-0 * $1 \" \\} e5") == Words{"e4", "e5"});
    CHECK(moves_of("e4 {a {b} c} e5 {a {b {c} d} e} Nf3 {{}} Nc6 {}") ==
          Words{"e4", "e5", "Nf3", "Nc6"});
    CHECK(moves_of("e4 {an open { brace} e5") == Words{"e4", "e5"});
    CHECK(moves_of("e4 ; to the { end ( of it\ne5;\r\nNf3 ; 1-0\rNc6 ;") ==
          Words{"e4", "e5", "Nf3", "Nc6"});
    CHECK(moves_of("e4\n% escaped { ( 1-0\r\ne5\r% more\rNf3") == Words{"e4", "e5", "Nf3"});
    CHECK(moves_of("e4 {\n\n[Site \"x\"]\n\n} e5") == Words{"e4", "e5"});
}

TEST_CASE("Variations are skipped, however deep they are") {
    CHECK(moves_of("e4 (d4 d5 (d6 {)} c5) ; )\n Nf6) e5 (Nf6) (c5 1-0 * [) Nf3") ==
          Words{"e4", "e5", "Nf3"});
    CHECK(moves_of("e4 (e8(Q)) e5 (e8(Q) (d1(N)) Kf7) Nf3") == Words{"e4", "e5", "Nf3"});
    CHECK(moves_of("e4 (\n% )\n) e5 () Nf3 (()())") == Words{"e4", "e5", "Nf3"});
    std::string deep = "e4 ";
    deep.append(100'000, '(').append(100'000, ')').append(" e5");
    CHECK(moves_of(deep) == Words{"e4", "e5"});
}

TEST_CASE("NAGs are skipped") {
    CHECK(moves_of("e4 $1 e5$2$3 Nf3 $139 $ Nc6 $$ Bb5$") ==
          Words{"e4", "e5", "Nf3", "Nc6", "Bb5"});
}

TEST_CASE("A visitor gets the result once, and none if the game has none") {
    for (const char* marker : {"1-0", "0-1", "1/2-1/2", "1/2", "*"}) {
        CAPTURE(marker);
        CHECK(read("1. e4 "s + marker).results == Words{marker});
        CHECK(read("[Event \"a\"]\n"s + marker).results == Words{marker});
        CHECK(read("1. e4 {x}"s + marker).results == Words{marker});
        CHECK(read("1. e4 (1. d4 "s + marker + ") e5").results.empty());
        CHECK(read("1. e4 {"s + marker + "} e5").results.empty());
    }
    CHECK(read("1. e4 e5").results.empty());
    CHECK(read("1. e4 1-0x").results.empty());
}

TEST_CASE("Names and values of tag pairs are read as written") {
    CHECK(read("[Event \"a\"]\n[Site \"b\"]\n\n*").tags == Tags{{"Event", "a"}, {"Site", "b"}});
    CHECK(read("[ Event \"a\" ] [Site\"b\"][Date\t\"c\"\t]").tags ==
          Tags{{"Event", "a"}, {"Site", "b"}, {"Date", "c"}});
    CHECK(read("[Event \"\"]\n[A_1 \" b \"]").tags == Tags{{"Event", ""}, {"A_1", " b "}});
    SECTION("every tag is read, in the order of the text") {
        CHECK(read("[B \"1\"]\n\n; c\n% d\n[A \"2\"]\n[B \"3\"]\n*").tags ==
              Tags{{"B", "1"}, {"A", "2"}, {"B", "3"}});
    }
    SECTION("a value may hold brackets and comment signs") {
        CHECK(read("[Event \"[a] {b ; (c] \"]*").tags == Tags{{"Event", "[a] {b ; (c] "}});
    }
}

TEST_CASE("Quotes and backslashes in a tag may be escaped or not") {
    CHECK(read("[Event \"a \\\"b\\\" c\"]").tags == Tags{{"Event", "a \"b\" c"}});
    CHECK(read("[Event \"a \"b\" c\"]").tags == Tags{{"Event", "a \"b\" c"}});
    CHECK(read("[Event \"\"a\"\"]").tags == Tags{{"Event", "\"a\""}});
    CHECK(read("[Event \"a\\\\\"]").tags == Tags{{"Event", "a\\"}});
    CHECK(read("[Event \"a\\b\"]").tags == Tags{{"Event", "a\\b"}});
    CHECK(read("[Event \"C:\\\"]\n[Site \"b\"]").tags == Tags{{"Event", "C:\\"}, {"Site", "b"}});
}

TEST_CASE("An incomplete tag pair is read as far as possible") {
    SECTION("without quotes") {
        const Recorder game =
            read("[Event \"a\"]\n[FEN 8/8/8/8/8/8/8/K1k5 w - - 0 1]\n[Site \"b\"]\n*");
        CHECK(game.tags ==
              Tags{{"Event", "a"}, {"FEN", "8/8/8/8/8/8/8/K1k5 w - - 0 1"}, {"Site", "b"}});
        CHECK(game.problems.empty());
    }
    SECTION("without the closing quote") {
        CHECK(read("[Event \"a]\n[Site \"b\"]\n*").tags == Tags{{"Event", "a"}, {"Site", "b"}});
    }
    SECTION("without the closing quote and bracket") {
        const Recorder game = read("[Event \"a \n[Site \"b\"\n*");
        CHECK(game.tags == Tags{{"Event", "a"}, {"Site", "b\""}});
        CHECK(reasons_of(game) == Words{"tag pair without an end", "tag pair without an end"});
        CHECK(game.results == Words{"*"});
    }
    SECTION("without a name or a value") {
        const Recorder game = read("[Event \"a\"]\n[]\n[ \"b\"]\n[Foo]\n[Site \"c\"]\n1. e4");
        CHECK(game.tags == Tags{{"Event", "a"}, {"Site", "c"}});
        CHECK(reasons_of(game) == Words{"not a tag pair", "not a tag pair", "not a tag pair"});
        CHECK(game.problems[0].second == 12);
        CHECK(game.moves == Words{"e4"});
    }
}

TEST_CASE("Tag values are UTF-8 whether the file is in UTF-8 or Windows-1252") {
    CHECK(read("[White \"M\xFCller\"]").tags == Tags{{"White", "M\xC3\xBCller"}});
    CHECK(read("[White \"M\xC3\xBCller\"]").tags == Tags{{"White", "M\xC3\xBCller"}});
    CHECK(read("[White \"\x8A\x80\"]").tags == Tags{{"White", "\xC5\xA0\xE2\x82\xAC"}});
}

TEST_CASE("NUL bytes are blanks to the reader") {
    const Recorder game = read("[Event\0\"a\0b\"]\0\n1.\0e4\0e5\0001-0"s);
    CHECK(game.tags == Tags{{"Event", "a b"}});
    CHECK(game.moves == Words{"e4", "e5"});
    CHECK(game.results == Words{"1-0"});
}

TEST_CASE("A comment or variation that is never closed is a problem, and moves before it count") {
    const Recorder comment = read("1. e4 e5 {gone 2. Nf3");
    CHECK(comment.moves == Words{"e4", "e5"});
    CHECK(reasons_of(comment) == Words{"comment without an end"});
    CHECK(comment.problems[0].second == 9);
    const Recorder variation = read("1. e4 (1. d4 e5 2. Nf3 1-0");
    CHECK(variation.moves == Words{"e4"});
    CHECK(reasons_of(variation) == Words{"variation without an end"});
    CHECK(variation.problems[0].second == 6);
    CHECK(reasons_of(read("1. e4 ) e5")) == Words{"')' without '('"});
    CHECK(read("1. e4 ) e5").moves == Words{"e4", "e5"});
}

TEST_CASE("The last word of a truncated game is ignored unless a blank follows it") {
    CHECK(read("1. e4 e5 2. Nf", true).moves == Words{"e4", "e5"});
    CHECK(read("1. e4 e5 2. Nf", false).moves == Words{"e4", "e5", "Nf"});
    CHECK(read("1. e4 e5 ", true).moves == Words{"e4", "e5"});
    CHECK(read("1. e4 e5 1/2", true).results.empty());
    CHECK(read("1. e4 e5 1", true).moves == Words{"e4", "e5"});
}

TEST_CASE("A visitor that wants no more moves still gets the result") {
    const std::string text = "[A \"b\"]\n1. e4 e5 2. Nf3 (2. Nc3) Nc6 {x} 1-0";
    Recorder recorder;
    recorder.begin = text.data();
    recorder.limit = 2;
    read_game(text, false, recorder);
    CHECK(recorder.moves == Words{"e4", "e5"});
    CHECK(recorder.results == Words{"1-0"});
}

TEST_CASE("A game of a single very long line is read") {
    std::string text = "[Event \"a\"]\n";
    for (int i = 0; i < 200'000; ++i) text += "Nf3 {" + std::to_string(i) + "} ";
    CHECK(read(text + "1-0").moves.size() == 200'000);
}

TEST_CASE("The reader never reads outside a text, and agrees with the splitter about its games") {
    std::mt19937_64 random(20'250'103);
    const std::vector<std::string> parts{
        "(",  ")", "8(",  "Q)", "{",    "}",   "%",  ";",   "\n", "\r",   "$",  "1",
        "0",  "-", "/2",  ".",  "*",    " ",   "e",  "8",   "=",  "[",    "]",  "\"",
        "\\", "A", "1-0", "!",  "e.p.", "(Q)", "()", "\n%", "<",  "\xEF", "\0"s};
    for (int round = 0; round < 40'000; ++round) {
        std::string text;
        for (std::uint64_t n = random() % 10; n-- > 0;) text += parts[random() % parts.size()];
        for (const bool truncated : {false, true}) {
            const Recorder game = read_exactly(text, truncated);
            for (const auto& problem : game.problems) REQUIRE(problem.second <= text.size());
            for (const std::string& move : game.moves) REQUIRE_FALSE(move.empty());
        }
    }
}
