#include "pgn/writer.hpp"

#include <catch2/catch.hpp>

namespace {

using fendex::pgn::GameWriter;

TEST_CASE("A game is laid out in the export format of the PGN standard") {
    std::string text;
    GameWriter writer(text);
    writer.tag("Event", "?");
    writer.tag("Site", R"(a "quoted" \ place)");
    writer.move(1, true, "e4");
    writer.move(1, false, "e5");
    writer.move(2, true, "Nf3");
    writer.result("1/2-1/2");
    writer.end();
    CHECK(text ==
          "[Event \"?\"]\n[Site \"a \\\"quoted\\\" \\\\ place\"]\n\n1. e4 e5 2. Nf3 1/2-1/2\n");
}

TEST_CASE("A first move of Black has a move number, and a game without moves has a result") {
    std::string text;
    GameWriter black(text);
    black.move(17, false, "Kd7");
    black.move(18, true, "Kd2");
    black.result("*");
    black.end();
    CHECK(text == "\n17... Kd7 18. Kd2 *\n");
    text.clear();
    GameWriter empty(text);
    empty.tag("Event", "x");
    empty.result("0-1");
    empty.end();
    CHECK(text == "[Event \"x\"]\n\n0-1\n");
}

TEST_CASE("Lines are filled up to 79 characters and break only between words") {
    std::string text;
    GameWriter writer(text);
    std::string words;
    for (unsigned number = 1; number <= 400; ++number) {
        writer.move(number, true, number % 3 == 0 ? "Qa1xb2+" : "e4");
        writer.move(number, false, number % 5 == 0 ? "exd8=Q#" : "Nf6");
        words += " " + std::to_string(number) + ". " + (number % 3 == 0 ? "Qa1xb2+" : "e4") + " " +
                 (number % 5 == 0 ? "exd8=Q#" : "Nf6");
    }
    writer.result("1-0");
    writer.end();
    words += " 1-0";
    REQUIRE(text.front() == '\n');
    REQUIRE(text.back() == '\n');
    text.erase(0, 1);
    std::string joined;
    std::size_t previous = 0;  // length of the line before
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin);
        CHECK(line.size() <= 79);
        CHECK(line.front() != ' ');
        CHECK(line.back() != ' ');
        // The first word of a line would not have fitted on the line before.
        if (previous != 0) CHECK(previous + 1 + std::min(line.find(' '), line.size()) > 79);
        joined += " " + line;
        previous = line.size();
        begin = end + 1;
    }
    CHECK(joined == words);
}

}  // namespace

TEST_CASE("A comment cannot begin a new game, whatever its line ends") {
    for (const std::string line : {"\n", "\r", "\r\n"}) {
        std::string text;
        GameWriter writer(text);
        writer.move(1, true, "e4");
        writer.comment("one" + line + "[Event \"two\"] }");
        writer.result("*");
        writer.end();
        CHECK(text == "\n1. e4 {one" + line + "(Event \"two\"] )} *\n");
    }
}

TEST_CASE("A line break separates words that would be read as a result together") {
    for (const std::string dash : {"-", "–", "−"}) {
        std::string text;
        GameWriter writer(text);
        writer.open_variation();
        for (const std::string& word : {std::string("1"), dash + "0", "0" + dash, std::string("1"),
                                        dash, std::string("0"), "½" + dash, std::string("½e")}) {
            writer.word(word);
        }
        writer.close_variation();
        writer.end();
        CHECK(text == "\n(1\n" + dash + "0 0" + dash + "\n1\n" + dash + " 0 ½" + dash + "\n½e)\n");
    }
}
