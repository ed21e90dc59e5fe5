// The short way to read the usual spelling of a move, compared with parse_san().
#include "chess/plain_san.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace {

using namespace fendex::chess;

/// Compares with parse_san(), if the word at the start of the text is read at all.
std::size_t read_as_parse_san_does(const std::string& text) {
    SanMove plain;
    const std::size_t size = parse_plain_san(text, plain);
    if (size == 0) return 0;
    SanMove whole;
    INFO(text);
    CHECK(size == text.find_first_of(" \r\n"));
    CHECK(parse_san(text.substr(0, size), whole) == SanError::kNone);
    const bool same = plain.kind == whole.kind && plain.piece == whole.piece &&
                      plain.promotion == whole.promotion && plain.from_file == whole.from_file &&
                      plain.from_rank == whole.from_rank && plain.to_file == whole.to_file &&
                      plain.to_rank == whole.to_rank && plain.capture == whole.capture &&
                      plain.names_piece == whole.names_piece;
    CHECK(same);
    return size;
}

}  // namespace

TEST_CASE("parse_plain_san() reads the usual spellings of moves") {
    for (const std::string move :
         {"e4", "exd5", "Nf3", "Nxf3+", "Rae1", "R1xe2#", "Kxg7", "Qb6+"}) {
        for (const char* blank : {" ", "\n", "\r\n"}) {
            CHECK(read_as_parse_san_does(move + blank + "e5 2.Nf3 Nc6") == move.size());
        }
    }
}

TEST_CASE("parse_plain_san() refuses other words and words without a blank after them") {
    for (const std::string word :
         {"O-O", "0-0",  "e8=Q", "e2e4",  "Ng1f3",       "exd6e.p.", "Nf3!", "Nf3+!?",
          "e4*", "Nf3)", "Nf9",  "Ni3",   "N",           "x",        "e",    "+",
          "Pe4", "Sf3",  "--",   "Nf3\t", "Nf3\xC2\xA0", "Nbxxd2"}) {
        INFO(word);
        CHECK(read_as_parse_san_does(word + " 1-0 *     ") == 0);
    }
    SanMove move;
    CHECK(parse_plain_san("Nf3", move) == 0);
    CHECK(parse_plain_san("Nf3 Nf6", move) == 0);  // less than eight bytes
    CHECK(parse_plain_san("Nf3Nf3Nf3Nf3 ", move) == 0);
}

TEST_CASE("parse_plain_san() reads a word as parse_san() does, or not at all") {
    // All words of up to five of these letters.
    const std::string letters = "NKabe18x+#=-Q ";
    std::uint64_t words = 1;
    for (int i = 0; i < 5; ++i) words *= letters.size();
    std::size_t read = 0;
    for (std::uint64_t number = 0; number < words; ++number) {
        std::string text;
        for (std::uint64_t n = number; n != 0; n /= letters.size())
            text += letters[n % letters.size()];
        SanMove plain;
        text += " Nc6 a6 ";
        if (parse_plain_san(text, plain) != 0) read += read_as_parse_san_does(text) != 0 ? 1U : 0U;
    }
    CHECK(read > 1000);
}
