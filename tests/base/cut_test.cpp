#include "base/cut.hpp"

#include <catch2/catch.hpp>

using fendex::base::cut;
using fendex::base::cut_word;

TEST_CASE("cut() takes what stands before the separator, and the separator") {
    std::string_view text = "a,,b";
    CHECK(cut(text, ',') == "a");
    CHECK(text == ",b");
    CHECK(cut(text, ',').empty());
    CHECK(text == "b");
    CHECK(cut(text, ',') == "b");
    CHECK(text.empty());
    CHECK(cut(text, ',').empty());
}

TEST_CASE("cut_word() takes the next word and the blanks before it") {
    std::string_view text = " \t one two  ";
    CHECK(cut_word<' ', '\t'>(text) == "one");
    CHECK(text == " two  ");
    CHECK(cut_word<' '>(text) == "two");
    CHECK(cut_word<' '>(text).empty());
    CHECK(text.empty());
}
