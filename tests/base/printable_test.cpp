// Texts from unknown files, shown on a terminal.
#include "base/printable.hpp"

#include <catch2/catch.hpp>

#include "base/utf8.hpp"

using fendex::base::printable;

TEST_CASE("Control characters, direction marks and invalid UTF-8 are escaped") {
    CHECK(printable("plain, M\u00FCller \u4E2D \U0001F600 \\x1b") ==
          "plain, M\u00FCller \u4E2D \U0001F600 \\x1b");
    CHECK(printable("\x1b[31mred\x1b[0m\a\x7f\r\n\t") ==
          "\\x1b[31mred\\x1b[0m\\x07\\x7f\\x0d\\x0a\\x09");
    CHECK(printable("\u0080\u009b31m\u009f\u00a0") == "\\x80\\x9b31m\\x9f\u00a0");
    CHECK(printable("\x9b"
                    "31m \xC3 \xED\xA0\x80 \xC0\x80") ==
          "\\x9b31m \\xc3 \\xed\\xa0\\x80 \\xc0\\x80");
    CHECK(printable("\u202Egnp.exe\u202C \u2066\u2069 \u200F \u061C \u2028 \u2030") ==
          "\\u202egnp.exe\\u202c \\u2066\\u2069 \\u200f \\u061c \\u2028 \u2030");
    std::string lines;
    fendex::base::append_printable_lines("a\x1b\n\nb\r\nc\rd\r\r\n\r", lines);
    CHECK(lines == "a\\x1b\n\nb\r\nc\\x0dd\\x0d\r\n\\x0d");
}

TEST_CASE("Whatever the bytes, nothing that is shown can control a terminal") {
    for (unsigned a = 0; a < 256; ++a) {
        for (unsigned b = 0; b < 256; ++b) {
            const std::string shown =
                printable(std::string{static_cast<char>(a), static_cast<char>(b), 'x'});
            REQUIRE(fendex::base::is_utf8(shown));
            for (std::size_t i = 0; i < shown.size();) {
                const std::size_t length = fendex::base::utf8_length(shown, i);
                REQUIRE(fendex::base::is_printable(fendex::base::utf8_character(shown, i, length)));
                i += length;
            }
        }
    }
}

TEST_CASE("A prefix never ends inside a character") {
    const std::string text = "a\u00FC\u4E2D\U0001F600";
    const std::size_t sizes[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    for (std::size_t i = 0; i < 12; ++i)
        CHECK(fendex::base::utf8_prefix(text, i).size() == sizes[i]);
    // Invalid bytes may be cut anywhere.
    CHECK(fendex::base::utf8_prefix("\xFC\xFC\xFC\xFC\xFC", 3).size() == 3);
}
