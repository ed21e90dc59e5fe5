#include "base/display_width.hpp"

#include <catch2/catch.hpp>

using namespace fendex::base;

TEST_CASE("A text is as wide as its grapheme clusters") {
    CHECK(display_width("") == 0);
    CHECK(display_width("Carlsen, M") == 10);
    CHECK(display_width("Gr\u00FCnfeld") == 8);
    CHECK(display_width("Gru\u0308nfeld") == 8);                              // u and its dots
    CHECK(display_width("\u8B1D\u8ECD") == 4);                                // Xie Jun
    CHECK(display_width("\U0001F469\u200D\U0001F469\u200D\U0001F467") == 2);  // a family, joined
    CHECK(display_width("\U0001F1F3\U0001F1F4") == 2);                        // a flag
    CHECK(display_width("\u265F\uFE0F") == 2);                                // a pawn as an emoji
    CHECK(display_width("a\xFF") == 2);                                       // invalid UTF-8
}

TEST_CASE("A cut text has whole clusters and fits the width") {
    CHECK(cut_end("Kasparov", 8) == "Kasparov");
    CHECK(cut_end("Kasparov", 5) == "Kasp\u2026");
    CHECK(cut_start("games/1990.pgn", 9) == "\u20261990.pgn");
    CHECK(cut_end("Gru\u0308nfeld", 4) == "Gru\u0308\u2026");
    CHECK(cut_end("\u8B1D\u8ECD\u8B1D", 4) == "\u8B1D\u2026");  // half of an ideograph does not fit
    CHECK(cut_start("\u8B1D\u8ECD\u8B1D", 4) == "\u2026\u8B1D");
    CHECK(cut_end("Kasparov", 1) == "\u2026");
}
