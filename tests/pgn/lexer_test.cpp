// The lexical rules one by one, and that a scan may be interrupted anywhere.
#include "pgn/lexer.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "pgn/pgn_fixtures.hpp"

namespace {

using namespace fendex::pgn;
using namespace fendex::pgn::test;
using namespace std::string_literals;

std::size_t result_length(std::string_view text) {
    return match_result(text.data(), text.data() + text.size());
}

std::string tag_name(std::string_view text) {
    return std::string(match_tag(text.data(), text.data() + text.size()).name);
}

/// Scans with stops every `step` bytes; returns where it ended, and how.
std::pair<std::size_t, TagScan::End> scan_tag(std::string_view text, std::size_t step) {
    const char* p = text.data();
    const char* end = p + text.size();
    TagScan scan;
    while (true) {
        const char* stop = static_cast<std::size_t>(end - p) > step ? p + step : end;
        const TagScan::End how = scan.scan(p, stop, end);
        if (how != TagScan::End::kMore) return {static_cast<std::size_t>(p - text.data()), how};
    }
}

/// Returns where the comment ends; npos if it does not. `text` begins after its brace.
std::size_t scan_comment(std::string_view text, std::size_t step) {
    const std::string whole = "{" + std::string(text);
    const char* p = whole.data() + 1;
    const char* end = whole.data() + whole.size();
    CommentScan scan;
    while (p < end) {
        const char* stop = static_cast<std::size_t>(end - p) > step ? p + step : end;
        const CommentScan::End how = scan.scan(p, stop, end);
        if (how == CommentScan::End::kClosed) {
            return static_cast<std::size_t>(p - whole.data()) - 1;
        }
        if (how == CommentScan::End::kCut) break;
        if (p < stop) step = whole.size();  // it needs more to decide
    }
    return std::string::npos;
}

bool is_move(std::string_view text) {
    return match_move(text.data(), text.data() + text.size()) != 0;
}

}  // namespace

TEST_CASE("Termination markers are matched whole") {
    CHECK(result_length("1-0") == 3);
    CHECK(result_length("0-1\n") == 3);
    CHECK(result_length("1/2-1/2 ") == 7);
    CHECK(result_length("1/2") == 3);
    CHECK(result_length("*") == 1);
    for (const char* next : {" ", "\n", "\r", "\t", "[", "{", "(", ")", ";", "}"}) {
        CHECK(result_length("1-0"s + next) == 3);
    }
    CHECK(result_length("1-0\0"s) == 3);
    for (const char* text : {"1:0", "0:1", "1-0.", "0:1.", "1/2:1/2", "½:½", "½-½.", "1/2."}) {
        CAPTURE(text);
        CHECK(result_length(text) == std::string_view(text).size());
    }
    for (const char* text :
         {"1-01", "1-0-0", "0-0", "0-0-0", "1-",    "1",     "0",   "1/2-1/", "1/2-1/2-1/2", "**",
          "*x",   "*.",    "1-1", "1:05",  "1-0..", "1-0.x", "2-0", "01-0",   "-",           "x"}) {
        CAPTURE(text);
        CHECK(result_length(text) == 0);
    }
}

TEST_CASE("A tag pair opens with a bracket, a name and a quote") {
    CHECK(tag_name("[Event \"x\"]") == "Event");
    CHECK(tag_name("[Event\"x\"]") == "Event");
    CHECK(tag_name("[ \t Event\0\t\"") == "");
    CHECK(tag_name("[ \t Event\0\t\""s) == "Event");
    CHECK(tag_name("[A_9z \"") == "A_9z");
    for (const char* text :
         {"", "x", "[", "[]", "[\"x\"]", "[Event", "[Event ", "[Event x]", "[Event\n\"x\"]",
          "[Ev-ent \"x\"]", "[%clk \"x\"]", "[Event: \"x\"]"}) {
        CAPTURE(text);
        CHECK(tag_name(text).empty());
    }
    SECTION("the look-ahead for a tag has a limit") {
        const std::string name(kMaxTagName, 'n');
        CHECK(tag_name("[" + name + " \"") == name);
        CHECK(tag_name("[" + name + "n \"").empty());
        CHECK(tag_name("[a" + std::string(kLookahead - 3, ' ') + "\"") == "a");
        CHECK(tag_name("[a" + std::string(kLookahead - 2, ' ') + "\"").empty());
    }
    SECTION("the value begins after the quote") {
        const std::string text = "[Event  \"x\"]";
        CHECK(match_tag(text.data(), text.data() + text.size()).value == text.data() + 9);
    }
}

TEST_CASE("A tag value ends at a quote that is followed by a bracket") {
    using End = TagScan::End;
    for (const std::size_t step :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1000}}) {
        CHECK(scan_tag("a\"]", step) == std::pair(std::size_t{1}, End::kClosed));
        CHECK(scan_tag("\"]", step) == std::pair(std::size_t{0}, End::kClosed));
        CHECK(scan_tag("a\" \t]", step) == std::pair(std::size_t{1}, End::kClosed));
        CHECK(scan_tag("a\"b\"]", step) == std::pair(std::size_t{3}, End::kClosed));
        CHECK(scan_tag("a\\\"] b\"]", step) == std::pair(std::size_t{6}, End::kClosed));
        CHECK(scan_tag("a\\\\\"]", step) == std::pair(std::size_t{3}, End::kClosed));
        CHECK(scan_tag("a]b\n", step) == std::pair(std::size_t{3}, End::kUnclosed));
        CHECK(scan_tag("a\"\n]", step) == std::pair(std::size_t{2}, End::kUnclosed));
        CHECK(scan_tag("a\r", step) == std::pair(std::size_t{1}, End::kUnclosed));
        CHECK(scan_tag("abc", step) == std::pair(std::size_t{3}, End::kUnclosed));
        CHECK(scan_tag("a\\\"]\nx", step) == std::pair(std::size_t{4}, End::kUnclosed));
    }
}

TEST_CASE("A comment ends at its closing brace") {
    for (const std::size_t step :
         {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{9999}}) {
        CAPTURE(step);
        CHECK(scan_comment("a} b", step) == 2);
        CHECK(scan_comment("}", step) == 1);
        CHECK(scan_comment("a {b} c} d", step) == 8);
        CHECK(scan_comment("a {b {c} d} e} f", step) == 14);
        CHECK(scan_comment("a {b} c {d} e", step) == 5);
        CHECK(scan_comment("a {b} c", step) == 5);
        CHECK(scan_comment("{}}", step) == 3);
        CHECK(scan_comment("gone", step) == std::string::npos);
        SECTION("an inner brace does not count if no brace closes it within the look-ahead") {
            const std::string far(kLookahead, 'x');
            CHECK(scan_comment("a {b}" + far + "}", step) == 5);
            CHECK(scan_comment("a {b}" + far.substr(1) + "}", step) == 5 + kLookahead);
        }
        SECTION("a game that begins on a new line ends it") {
            CHECK(scan_comment("gone\n[Event \"x\"] {a}", step) == std::string::npos);
            CHECK(scan_comment("gone\r[Event \"x\"] 1. e4 {a} {b}", step) == std::string::npos);
            CHECK(scan_comment("gone\n[Event \"x\"]", step) == std::string::npos);
            CHECK(scan_comment("not [Event \"x\"] }", step) == 17);
            CHECK(scan_comment("\n[Event x] }", step) == 12);
            CHECK(scan_comment("\n [Event \"x\"] }", step) == 15);
        }
        SECTION("the game is part of it if a later brace closes it, not a comment of the game") {
            CHECK(scan_comment("a\r[Event \"x\"] 1. e4 {a} *} b", step) == 26);
            CHECK(scan_comment("a\n[Event \"x\"] {b} {c {d} e} 1-0\n[Event \"y\"] {f}\n* } g",
                               step) == 51);
            CHECK(scan_comment("a {b\n[Event \"x\"] {c} 0-1\n} d", step) == 26);
            const std::string line = "\n[Event \"x\"] {a}";
            const std::string far(kPastedGame - line.size() - 2, 'x');
            CHECK(scan_comment(line + far + " *}", step) == kPastedGame + 1);
            CHECK(scan_comment(line + far + "x *}", step) == std::string::npos);
            CHECK(scan_comment(line + "{{{{{{{{a}}}}}}}} *}", step) != std::string::npos);
            CHECK(scan_comment(line + "{{{{{{{{{a}}}}}}}}} *}", step) == std::string::npos);
            // Two braces that are missing.
            CHECK(scan_comment(line + " 1. e4 } e5 *", step) == std::string::npos);
        }
        SECTION("the game is part of it if the next brace closes it and is near enough") {
            CHECK(scan_comment("a\n[Event \"x\"]\n} b", step) == 15);
            CHECK(scan_comment("a\n[Event \"x\"]\n\n[Event \"y\"]\n*\n} b", step) == 30);
            CHECK(scan_comment("a {b\n[Event \"x\"]\n} c} d", step) == 21);
            const std::string line = "\n[Event \"x\"]";
            const std::string far(kPastedGame - line.size(), 'x');
            CHECK(scan_comment(line + far + "}", step) == line.size() + far.size() + 1);
            CHECK(scan_comment(line + far + "x}", step) == std::string::npos);
        }
    }
}

TEST_CASE("The end of a comment is found whatever the pieces in which it is scanned") {
    std::mt19937_64 random(5);
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (std::uint64_t n = random() % 30; n-- > 0;) {
            switch (random() % 6) {
                case 0: text += '{'; break;
                case 1: text += '}'; break;
                case 2: text += "\n[Event \"x\"]"; break;
                case 3: text.append(random() % 700, 'x'); break;
                default: text += "\n[Ev \""; break;
            }
        }
        const std::size_t expected = scan_comment(text, text.size() + 1);
        CHECK(scan_comment(text, 1 + random() % 40) == expected);
    }
}

TEST_CASE("A letter in parentheses after a square of the last rank is a promotion") {
    const auto length = [](std::string_view text, std::size_t at) {
        return match_promotion(text.data(), text.data() + at, text.data() + text.size());
    };
    // Letters of other languages too, of other scripts, of old code pages, and figurines.
    for (const std::string& piece : {"N"s, "B"s, "R"s, "Q"s, "n"s, "b"s, "r"s, "q"s, "D"s, "K"s,
                                     "Ф"s, "\xD4"s, "♕"s, "♛\uFE0E"s}) {
        CAPTURE(piece);
        for (const std::string& square : {"e8"s, "e1"s}) {
            const std::string text = square + "(" + piece + ")";
            CHECK(length(text, 2) == piece.size() + 2);
            CHECK(length(text + "+", 2) == piece.size() + 2);
            const char* close = text.data() + text.size() - 1;
            CHECK(closes_promotion(text.data(), close, close + 1));
            // Another parenthesis closes the outer one, however many bytes the letter has.
            const std::string inside = text + ")";
            const char* outer = inside.data() + inside.size() - 1;
            CHECK_FALSE(closes_promotion(inside.data(), outer, outer + 1));
        }
    }
    for (const std::string& text : {"e7(Q)"s, "e8(Q"s, "e8(Qd8)"s, "e8(d)"s, "e8(1)"s, "e8()"s,
                                    "e8(\0)"s, "e8(ФК2)"s, "e8(♕♕♕)"s, "e8("s}) {
        CAPTURE(text);
        CHECK(length(text, 2) == 0);
        if (text.back() != ')') continue;
        const char* close = text.data() + text.size() - 1;
        CHECK_FALSE(closes_promotion(text.data(), close, close + 1));
    }
    CHECK(length("e8=(Q)", 3) == 3);
    CHECK(length("e8==(Q)", 4) == 0);
    CHECK(length("=(Q)", 1) == 0);
    CHECK(length("e8 (Q)", 3) == 0);
    CHECK(length("(Q)", 0) == 0);
}

TEST_CASE("Parentheses that hold no promotion are removed from a word") {
    const auto kept = [](std::string word) {
        keep_promotions_only(word);
        return word;
    };
    for (const char* word : {"e4", "e8(Q)", "e8(Q)+", "e1(Ф)e8(♛)", ""}) CHECK(kept(word) == word);
    CHECK(kept("(Q)e4") == "e4");
    CHECK(kept("e8(Q") == "e8");
    CHECK(kept("e7(Q)+") == "e7+");
    CHECK(kept("e8(ФФФФ)e1(Q)") == "e8e1(Q)");
}

TEST_CASE("is_move() tells words that could be moves from other words") {
    for (const char* text :
         {"e4",   "exd5",  "Nf3", "Nbd7",  "R1xa4", "Qh4xe1", "e2e4", "e2-e4", "e8=Q",
          "O-O",  "0-0-0", "o-o", "--",    "Z0",    "@@@@",   "Ka1+", "a8(Q)", "Bxh7!?",
          "P-e4", "Ng1f3", "Cf3", "Txe8+", "Кf3",   "Крe1",   "♘c6",  "Dh4:e1"}) {
        CAPTURE(text);
        CHECK(is_move(text));
    }
    for (const char* text :
         {"",  "e",  "e9",     "i4",    "Event", "The", "a", "and", "Be",    "Hello", "<a", "1",
          "N", "Pe", "teach4", "Q-KB3", "[e4]",  "x4",  "O", "0",   "École", "Über",  "А"}) {
        CAPTURE(text);
        CHECK_FALSE(is_move(text));
    }
}

TEST_CASE("CR, LF and CR LF each count as one line end") {
    for (const char* text :
         {"", "a", "\n", "\r", "\r\n", "a\nb\r\nc\rd", "\n\r\n\r", "\r\r\n\n", "\r\n\r\n"}) {
        for (std::size_t n = 0; n <= std::string_view(text).size(); ++n) {
            CAPTURE(text, n);
            CHECK(count_lines(text, n) == line_at(text, n) - 1);
        }
    }
}

TEST_CASE("Tag values are converted to valid UTF-8") {
    CHECK(clean_value("plain") == "plain");
    CHECK(clean_value("a\\\"b\\\\c\\d\\") == "a\"b\\c\\d\\");
    CHECK(clean_value("a\0b"s) == "a b");
    SECTION("valid UTF-8 stays") {
        for (const char* text : {"\xC3\xBC", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF",
                                 "\xED\x9F\xBF", "\xC2\x80", "a\xC3\xA9z"}) {
            CHECK(clean_value(text) == text);
        }
    }
    SECTION("other bytes are read as Windows-1252") {
        CHECK(clean_value("M\xFCller") == "M\xC3\xBCller");
        CHECK(clean_value("\x80\x9F\x81\xA0\xFF") ==
              "\xE2\x82\xAC\xC5\xB8\xC2\x81\xC2\xA0\xC3\xBF");
        // One invalid byte means that the whole value is not UTF-8.
        CHECK(clean_value("\xC3\xBC\xFC") == "\xC3\x83\xC2\xBC\xC3\xBC");
    }
    SECTION("overlong forms, surrogates and broken sequences are not UTF-8") {
        for (const char* text :
             {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80",
              "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
              "\x80", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC3(", "\xFE", "\xFF"}) {
            CHECK(clean_value(text) != text);
        }
    }
    SECTION("the result is UTF-8, and converting it again changes nothing") {
        std::mt19937_64 random(6);
        for (int round = 0; round < 5000; ++round) {
            std::string text;
            for (std::uint64_t n = random() % 8; n-- > 0;) {
                const char c =
                    static_cast<char>(random() % 2 == 0 ? 0x80 + random() % 128 : random());
                if (c != '\\') text += c;
            }
            const std::string clean = clean_value(text);
            CHECK(clean_value(clean) == clean);
            if (!needs_cleaning(text)) CHECK(clean == text);
        }
    }
}
