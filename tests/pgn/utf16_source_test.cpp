#include "pgn/utf16_source.hpp"

#include <catch2/catch.hpp>

#include "pgn/pgn_fixtures.hpp"

namespace {

using namespace fendex::pgn;
using namespace fendex::pgn::test;

std::string utf16(std::u16string_view text, bool little) {
    std::string out = little ? "\xFF\xFE" : "\xFE\xFF";
    for (const char16_t unit : text) {
        const char low = static_cast<char>(unit & 0xFF);
        const char high = static_cast<char>(unit >> 8);
        out += little ? low : high;
        out += little ? high : low;
    }
    return out;
}

/// Returns the decoded text of `bytes`. The source below delivers `piece` bytes per read; reads
/// here are of `size` bytes.
std::string decoded(std::string_view bytes, std::size_t piece, std::size_t size) {
    const auto source = make_utf16_source(std::make_unique<TextSource>(bytes, piece));
    std::string out;
    std::string buffer(size, '\0');
    while (const std::size_t count = source->read(buffer)) out.append(buffer, 0, count);
    CHECK(source->read(buffer) == 0);
    CHECK(source->compressed_offset() == bytes.size());
    return out;
}

}  // namespace

TEST_CASE("UTF-16 with a byte order mark is converted to UTF-8, however it is cut") {
    for (const bool little : {true, false}) {
        for (const std::size_t piece : {1U, 2U, 3U, 1000U}) {
            for (const std::size_t size : {1U, 2U, 7U, 1000U}) {
                CAPTURE(little, piece, size);
                CHECK(decoded(utf16(u"[White \"Müller ♞\"]\r\n1. e4 \U0001F600 *", little), piece,
                              size) == "[White \"Müller ♞\"]\r\n1. e4 \U0001F600 *");
                CHECK(decoded(utf16(u"", little), piece, size).empty());
                CHECK(decoded(utf16(u"a\xD83Dz\xDE00\xD83D\xD83D", little), piece, size) ==
                      "a\uFFFDz\uFFFD\uFFFD\uFFFD");
                CHECK(decoded(utf16(u"ab", little) + "x", piece, size) == "ab\uFFFD");
            }
        }
    }
}

TEST_CASE("A text that is not UTF-16 is passed on unchanged") {
    for (const std::string text : {"", "\xFF", "\xFE", "e4", "\xFF\xFF\xFE",
                                   "\xEF\xBB\xBF"
                                   "1. e4 *"}) {
        for (const std::size_t piece : {1U, 2U, 1000U}) {
            CHECK(decoded(text, piece, 1) == text);
            CHECK(decoded(text, piece, 1000) == text);
        }
    }
}

TEST_CASE("A read error comes after the text that could be read") {
    for (const std::size_t failing : {1U, 2U, 3U}) {
        const auto source =
            make_utf16_source(std::make_unique<TextSource>("\xFF"
                                                           "e4",
                                                           1, failing));
        std::string out;
        std::string buffer(10, '\0');
        try {
            while (const std::size_t count = source->read(buffer)) out.append(buffer, 0, count);
            FAIL("it did not fail");
        } catch (const SourceError&) {
            CHECK(out == std::string("\xFF"
                                     "e4")
                             .substr(0, failing - 1));
            CHECK_THROWS_AS(source->read(buffer), SourceError);
        }
    }
}
