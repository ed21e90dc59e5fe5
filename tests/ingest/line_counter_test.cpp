// Lines before places in a text: the number is right, and no byte is counted twice.
#include "ingest/line_counter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "support/sanitizers.hpp"

using fendex::ingest::LineCounter;

namespace {

/// A text with line ends of all kinds.
std::string random_text(std::mt19937_64& random, std::size_t size) {
    std::string text;
    while (text.size() < size) text += "xx\n\r.["[random() % 6];
    return text;
}

}  // namespace

TEST_CASE("lines_before() counts lines before places in any order within an item") {
    std::mt19937_64 random(151);
    for (int round = 0; round < 200; ++round) {
        const std::string text = random_text(random, 3000);
        LineCounter lines(text);
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.size(), begin + 1 + random() % 300);
            lines.begin_item(begin);
            for (std::uint64_t places = random() % 4; places > 0; --places) {
                const std::size_t place = begin + random() % (end - begin + 1);
                CAPTURE(begin, place);
                REQUIRE(lines.lines_before(place) == fendex::pgn::count_lines(text, place));
            }
            begin = end;
        }
    }
}

TEST_CASE("Lines that have been counted are not counted again, however many errors there are") {
    // Counted text is overwritten, so counting it again would give other numbers.
    std::mt19937_64 random(152);
    const std::string original = random_text(random, fendex::test::fewer(100'000U));
    std::string text = original;
    LineCounter lines(text);
    SECTION("in one item") {
        for (std::size_t place = 10; place <= text.size(); place += 30) {
            CAPTURE(place);
            REQUIRE(lines.lines_before(place) == fendex::pgn::count_lines(original, place));
            std::fill_n(text.begin(), place, '\n');
        }
    }
    SECTION("in many items") {
        for (std::size_t begin = 0; begin < text.size(); begin += 100) {
            lines.begin_item(begin);
            for (std::size_t place = begin + 10; place <= begin + 100; place += 30) {
                CAPTURE(place);
                REQUIRE(lines.lines_before(place) == fendex::pgn::count_lines(original, place));
            }
            // The next item goes on from the beginning of this one.
            std::fill_n(text.begin(), begin, '\n');
        }
    }
}
