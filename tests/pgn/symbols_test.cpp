// Symbols, dashes and blanks as word processors write them.
#include "pgn/symbols.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "pgn/pgn_fixtures.hpp"

namespace {

using namespace fendex::pgn;
using namespace fendex::pgn::test;

/// Keeps glyphs, and the words of variations in parentheses, among the moves.
struct GlyphRecorder : Recorder {
    void comment(std::string_view) {}
    void glyph(std::string_view text) { moves.emplace_back(text); }
    void open_variation() { moves.emplace_back("("); }
    void close_variation() { moves.emplace_back(")"); }
    void word(std::string_view text) { moves.emplace_back(text); }
};

using Texts = std::vector<std::string>;

Texts words_of(std::string_view text) {
    GlyphRecorder recorder;
    recorder.begin = text.data();
    read_game(text, false, recorder);
    CHECK(recorder.problems.empty());
    return recorder.moves;
}

/// Returns the result of a text that is one game, in the standard's spelling; for other texts the
/// number of games.
std::string result_of(const std::string& text) {
    const auto games = read_all(text);
    if (games.size() != 1) return std::to_string(games.size()) + " games";
    return games[0].results.size() == 1 ? std::string(plain_result(games[0].results[0])) : "none";
}

}  // namespace

TEST_CASE("Symbols become NAGs, alone and attached to a move") {
    const std::vector<std::pair<std::string, std::string>> symbols{
        {"±", "$16"},  {"∓", "$17"},     {"⩲", "$14"},   {"⩱", "$15"},  {"∞", "$13"},
        {"□", "$7"},   {"○", "$26"},     {"↑", "$36"},   {"→", "$40"},  {"⇆", "$132"},
        {"⊕", "$138"}, {"∆", "$140"},    {"⌓", "$142"},  {"‼", "$3"},   {"⁉", "$5"},
        {"⁈", "$6"},   {"+−", "$18"},    {"−+", "$19"},  {"+–", "$18"}, {"—+", "$19"},
        {"=∞", "$44"}, {"+/−", "$16"},   {"−/+", "$17"}, {"↑↑", "$32"}, {"⨀", "$22"},
        {"⟳", "$32"},  {"‼\uFE0F", "$3"}};
    for (const auto& [symbol, nag] : symbols) {
        CAPTURE(symbol);
        CHECK(words_of("1. e4 " + symbol + " e5") == Texts{"e4", nag, "e5"});
        CHECK(words_of("1. e4" + symbol + " e5") == Texts{"e4", nag, "e5"});
        CHECK(words_of("1. Nf3+!" + symbol + symbol + " e5").size() == (symbol == "↑" ? 4 : 5));
        CHECK(words_of("e4 (" + symbol + " 1. d4" + symbol + ") e5" + symbol) ==
              Texts{"e4", "(", nag, "1.", "d4", nag, ")", "e5", nag});
    }
    CHECK(words_of("e4 \xB1 e5\xB1") == Texts{"e4", "$16", "e5", "$16"});
}

TEST_CASE("Symbols that have no NAG are skipped") {
    CHECK(words_of("1. e4 ☆ e5⊗ (≥ d5) ≫ 2. d4 ✓") == Texts{"e4", "e5", "(", "d5", ")", "d4"});
}

TEST_CASE("Letters of Informator become NAGs, except the piece of a promotion") {
    CHECK(words_of("1. e4 N e5N 2. Bb5+N a6!N RR Nc6D") == Texts{"e4", "$146", "e5", "$146", "Bb5+",
                                                                 "$146", "a6!", "!", "$146", "$145",
                                                                 "Nc6", "$220"});
    CHECK(words_of("Rd8N e8N exd1N e7e8N O-O") ==
          Texts{"Rd8", "$146", "e8N", "exd1N", "e7e8N", "O-O"});
    CHECK(words_of("e4 (1. d4 N d5N e8N)") ==
          Texts{"e4", "(", "1.", "d4", "$146", "d5", "$146", "e8N", ")"});
}

TEST_CASE("Figurines, letters and dashes inside moves are not taken for symbols") {
    CHECK(words_of("♘f3 e2–e4 O−O e8=♕ Кf3 e8Ф Слон Ng1—f3+ †") ==
          Texts{"♘f3", "e2–e4", "O−O", "e8=♕", "Кf3", "e8Ф", "Слон", "Ng1—f3+", "†"});
    CHECK(words_of("1. e4 +/-(1. d4 d5) e5") ==
          Texts{"e4", "+/-", "(", "1.", "d4", "d5", ")", "e5"});
}

TEST_CASE("Results are read with any dash") {
    for (const std::string dash : {"-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015",
                                   "\u2212", "\x96", "\x97", " - ", " \u2013 ", "\u00A0\u2013 "}) {
        CAPTURE(dash);
        for (const std::string behind : {"", "\n", "\n\n[Event \"x\"]", "\u00A0\n"}) {
            CHECK(read_all("1. e4 1" + dash + "0" + behind)[0].results.size() == 1);
        }
        CHECK(result_of("1. e4 1" + dash + "0") == "1-0");
        CHECK(result_of("1. e4 0" + dash + "1") == "0-1");
        CHECK(result_of("1. e4 1/2" + dash + "1/2") == "1/2-1/2");
        CHECK(result_of("1. e4 ½" + dash + "½") == "1/2-1/2");
        CHECK(result_of("1. e4 \xBD" + dash + "\xBD") == "1/2-1/2");
    }
    CHECK(result_of("1. e4 ½") == "1/2-1/2");
    CHECK(read_all("e4 1–0\ne4 0–1\n½–½\n").size() == 3);
    CHECK(words_of("1. e4 (1. d4 1–0) e5") == Texts{"e4", "(", "1.", "d4", "1-0", ")", "e5"});
}

TEST_CASE("A game won by forfeit ends with +-- or --+, which are evaluations before a move") {
    for (const std::string behind : {"", "\n", "\n\n", "\r\n\r\n", "\n[Event \"x\"]"}) {
        CAPTURE(behind);
        CHECK(plain_result(read_all("1. e4 +--" + behind)[0].results.at(0)) == "1-0");
        CHECK(plain_result(read_all("1. e4 --+" + behind)[0].results.at(0)) == "0-1");
    }
    CHECK(result_of("1. e4 +––") == "1-0");
    CHECK(result_of("1. e4 −−+") == "0-1");
    CHECK(result_of("[Event \"a\"]\n\n+--\n\n") == "1-0");
    CHECK(read_all("1. e4 +--\n\n1. d4 --+\n\n1. c4 *").size() == 3);
    CHECK(words_of("1. e4 +-- e5 --+ 2. -- Nc6 --") ==
          Texts{"e4", "+--", "e5", "--+", "--", "Nc6", "--"});
    CHECK(result_of("1. e4 +-- e5 1-0") == "1-0");
    CHECK(words_of("1. e4 (1. d4 +--) e5") == Texts{"e4", "(", "1.", "d4", "+--", ")", "e5"});
    CHECK(read_all("a | b\n+--\n\n").empty());
}

TEST_CASE("Unicode blanks of any width separate words, invisible ones too") {
    for (const std::string blank :
         {"\u00A0", "\u00AD", "\u2002", "\u2009", "\u200B", "\u200D", "\u200E", "\u2028", "\u202F",
          "\u2060", "\u3000", "\uFEFF", "\xA0", "\xAD", "\xA0\xA0"}) {
        CAPTURE(blank);
        const std::string text = blank + "[Event" + blank + "\"a\"" + blank + "]" + blank + "\n" +
                                 blank + "[Site \"b\"]\n\n1." + blank + "e4" + blank + "e5" +
                                 blank + "(" + blank + "e6" + blank + ")" + blank + "1-0" + blank +
                                 "\n\n[Event \"c\"]\n\n1. d4 *\n";
        const auto games = read_all(text);
        REQUIRE(games.size() == 2);
        CHECK(games[0].tags.size() == 2);
        CHECK(games[0].moves == Texts{"e4", "e5"});
        CHECK(games[0].results.size() == 1);
        CHECK(games[0].problems.empty());
        CHECK(pieces_of(text).size() == 2);
    }
}

TEST_CASE("A letter that an invisible blank separates from its move is not a NAG") {
    for (const std::string blank :
         {"\u00AD", "\u200B", "\u200D", "\u202A", "\u2060", "\uFEFF", "\xAD"}) {
        CAPTURE(blank);
        CHECK(words_of("N" + blank + "c6 (N" + blank + "f6)") ==
              Texts{"N", "c6", "(", "N", "f6", ")"});
    }
    for (const std::string blank :
         {"\u00A0", "\u2009", "\u2029", "\u202F", "\u205F", "\u3000", "\xA0"}) {
        CAPTURE(blank);
        CHECK(words_of("N" + blank + "c6") == Texts{"$146", "c6"});
    }
}

TEST_CASE("A byte A0 is a blank of Windows-1252 unless it is part of a character in UTF-8") {
    for (const std::string letter : {"à", "Р", "\u20A0", "\U0001F6A0", "\u0B20", "\u0360"}) {
        CAPTURE(letter);
        const std::string text = "[Event \"a\"]\n1. e4 x" + letter + "1-0 e5 *";
        CHECK(words_of(text) == Texts{"e4", "x" + letter + "1-0", "e5"});
        CHECK(pieces_of(text).size() == 1);
    }
    std::string spaced = "1. e4~e5\xB1~(2. d4~ d5)~~ 2.~Nf3\xAD Nc6~";
    std::replace(spaced.begin(), spaced.end(), '~', '\xA0');
    CHECK(words_of(spaced) == Texts{"e4", "e5", "$16", "(", "2.", "d4", "d5", ")", "Nf3", "Nc6"});
    CHECK(result_of("1. e4\xA0\xBD\xA0") == "1/2-1/2");
    CHECK(result_of("1. e4 1\xA0-\xA0"
                    "0\xA0") == "1-0");
}

TEST_CASE("A Unicode blank without its last byte is not a blank, and leaves the bracket after it") {
    CHECK(words_of("e4 (d4\xE2\x80(c4)) e5 (d5\xE2\x80) f4") ==
          Texts{"e4", "(", "d4\xE2\x80", "(", "c4", ")", ")", "e5", "(", "d5\xE2\x80", ")", "f4"});
}
