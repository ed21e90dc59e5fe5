#include "codec/annotation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <utility>
#include <vector>

#include "codec/text_packer.hpp"

namespace {

using namespace fendex::codec;
using Token = AnnotationToken;
using Tokens = std::vector<std::pair<Token, std::string>>;

std::string stream_of(const Tokens& tokens) {
    AnnotationStreamWriter writer;
    for (const auto& [token, text] : tokens) {
        switch (token) {
            case Token::kMove: writer.move(); break;
            case Token::kComment: writer.comment(text); break;
            case Token::kGlyph: writer.glyph(text); break;
            case Token::kOpen: writer.open(); break;
            case Token::kClose: writer.close(); break;
            case Token::kWord: writer.word(text); break;
            case Token::kResult: writer.result(); break;
        }
    }
    std::string stream;
    writer.append_to(stream);
    return stream;
}

Tokens tokens_of(std::string_view stream, bool& corrupt) {
    AnnotationStreamReader reader(stream);
    Tokens tokens;
    while (reader.next()) tokens.emplace_back(reader.token(), reader.text());
    corrupt = reader.corrupt();
    return tokens;
}

Tokens tokens_of(std::string_view stream) {
    bool corrupt = true;
    Tokens tokens = tokens_of(stream, corrupt);
    CHECK_FALSE(corrupt);
    return tokens;
}

/// Texts of all kinds, including clocks and evaluations in every spelling.
std::string random_text(std::mt19937_64& random) {
    static const char* const kPieces[] = {" ",
                                          "[%clk ",
                                          "0:00:01]",
                                          "[%clk 0:03:00]",
                                          "[%clk 1:59:59.9]",
                                          "[%clk 01:03:00]",
                                          "[%clk 0:3:00]",
                                          "[%clk 0:60:00]",
                                          "[%clk 1000:00:00]",
                                          "[%clk 999:59:59]",
                                          "[%clk 0:00:00.10]",
                                          "[%eval 0.17]",
                                          "[%eval -0.00]",
                                          "[%eval -12.34]",
                                          "[%eval 00.10]",
                                          "[%eval #-3]",
                                          "[%eval 0.1]",
                                          "[%eval 9999.99]",
                                          "[%eval -9999.99]",
                                          "[%eval 10000.00]",
                                          "\x0E",
                                          "\x0F",
                                          "\x10",
                                          "\x1F",
                                          "\x01\x02",
                                          "a comment",
                                          "\n",
                                          "\xC3\xA9",
                                          "{}",
                                          "[%clk 0:00:00"};
    std::string text;
    for (auto pieces = random() % 6; pieces > 0; --pieces) {
        text += kPieces[random() % std::size(kPieces)];
    }
    return text;
}

Tokens random_tokens(std::mt19937_64& random) {
    Tokens tokens;
    unsigned depth = 0;
    for (auto count = random() % 80; count > 0; --count) {
        switch (random() % 8) {
            case 0:
            case 1:
                if (depth == 0) tokens.emplace_back(Token::kMove, "");
                break;
            case 2: tokens.emplace_back(Token::kComment, random_text(random)); break;
            case 3: tokens.emplace_back(Token::kGlyph, random() % 2 == 0 ? "!?" : "$142"); break;
            case 4:
                tokens.emplace_back(Token::kOpen, "");
                ++depth;
                break;
            case 5:
            case 6:
                if (depth > 0)
                    tokens.emplace_back(Token::kWord, random() % 2 == 0 ? "12..." : "Nf6!");
                break;
            default:
                if (depth > 0) {
                    tokens.emplace_back(Token::kClose, "");
                    --depth;
                }
                break;
        }
    }
    for (; depth > 0; --depth) tokens.emplace_back(Token::kClose, "");
    return tokens;
}

TEST_CASE("Annotation tokens are read back unchanged, except moves after the last other token") {
    std::mt19937_64 random(4);
    for (int round = 0; round < 3000; ++round) {
        Tokens tokens = random_tokens(random);
        const std::string stream = stream_of(tokens);
        while (!tokens.empty() && tokens.back().first == Token::kMove) tokens.pop_back();
        REQUIRE(tokens_of(stream) == tokens);
    }
}

TEST_CASE("A result is a token if something other than a move follows it") {
    const Tokens behind{{Token::kMove, ""}, {Token::kResult, ""}, {Token::kComment, "x"}};
    CHECK(tokens_of(stream_of(behind)) == behind);
    CHECK(tokens_of(stream_of({{Token::kComment, "x"}, {Token::kResult, ""}})) ==
          Tokens{{Token::kComment, "x"}});
    CHECK(
        tokens_of(stream_of({{Token::kResult, ""}, {Token::kMove, ""}, {Token::kComment, "x"}})) ==
        Tokens{{Token::kMove, ""}, {Token::kComment, "x"}});
}

TEST_CASE("An annotation that is cut keeps its tokens before the next move") {
    std::mt19937_64 random(5);
    for (int round = 0; round < 500; ++round) {
        const std::string stream = stream_of(random_tokens(random));
        const Tokens tokens = tokens_of(stream);
        const auto all = static_cast<std::size_t>(
            std::count_if(tokens.begin(), tokens.end(),
                          [](const auto& each) { return each.first == Token::kMove; }));
        const std::size_t moves = random() % (all + 2);
        Tokens expected;
        std::size_t played = 0;
        for (const auto& each : tokens) {
            if (each.first == Token::kMove && ++played > moves) break;
            expected.push_back(each);
        }
        // As at the end of a game, these are not stored.
        while (!expected.empty() &&
               (expected.back().first == Token::kMove || expected.back().first == Token::kResult)) {
            expected.pop_back();
        }
        const std::string cut = cut_annotation(stream, moves);
        REQUIRE(cut.empty() == expected.empty());
        if (!cut.empty()) REQUIRE(tokens_of(cut) == expected);
        if (moves >= all && !cut.empty()) REQUIRE(cut == stream);
    }
}

TEST_CASE("Clocks and evaluations in the form of servers take a few bytes each") {
    Tokens tokens;
    for (int ply = 0; ply < 60; ++ply) {
        tokens.emplace_back(Token::kMove, "");
        tokens.emplace_back(Token::kComment, " [%eval 0." + std::to_string(10 + ply) +
                                                 "] [%clk 0:02:" + std::to_string(59 - ply / 2) +
                                                 "] ");
    }
    const std::string stream = stream_of(tokens);
    CHECK(stream.size() < 60 * 12);
    std::string packed;
    TextPacker({}).pack(stream, packed);
    CHECK(packed.size() < 60 * 3);
    CHECK(tokens_of(stream) == tokens);
}

TEST_CASE("A damaged annotation is reported or read as another one, and never does harm") {
    std::mt19937_64 random(5);
    unsigned told = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string stream = stream_of(random_tokens(random));
        switch (random() % 3) {
            case 0: stream.resize(random() % (stream.size() + 1)); break;
            case 1: stream[random() % stream.size()] = static_cast<char>(random()); break;
            default: stream.insert(random() % stream.size(), 1, static_cast<char>(random())); break;
        }
        bool corrupt = false;
        const Tokens tokens = tokens_of(stream, corrupt);
        told += corrupt ? 1U : 0U;
        CHECK(tokens.size() <= stream.size());
        int depth = 0;
        for (const auto& [token, text] : tokens) {
            depth += token == Token::kOpen ? 1 : token == Token::kClose ? -1 : 0;
            CHECK(depth >= 0);
            CHECK(text.find('\0') == text.npos);
        }
        CHECK((corrupt || depth == 0));
    }
    CHECK(told > 1000);
}

TEST_CASE("Packed texts are read back unchanged, with and without a dictionary") {
    std::mt19937_64 random(6);
    std::string samples;
    std::vector<std::size_t> sizes;
    for (int i = 0; i < 2000; ++i) {
        std::string text;
        for (int n = 0; n < 8; ++n) text += "clk " + std::to_string(random() % 100) + " eval ";
        samples += text;
        sizes.push_back(text.size());
    }
    const std::string dictionary = train_dictionary(samples, sizes, 4096);
    REQUIRE_FALSE(dictionary.empty());
    CHECK(dictionary.size() <= 4096);
    TextPacker with(dictionary);
    TextPacker without({});
    TextUnpacker unpack_with(dictionary);
    TextUnpacker unpack_without({});
    std::string text;
    for (const std::string& original :
         {std::string(samples, 0, sizes[0]), std::string(), samples}) {
        std::string small;
        with.pack(original, small);
        CHECK(unpack_with.unpack(small, original.size(), text));
        CHECK(text == original);
        std::string large;
        without.pack(original, large);
        CHECK(unpack_without.unpack(large, original.size(), text));
        CHECK(text == original);
        if (original.size() == sizes[0]) CHECK(small.size() < large.size());
        // It refuses texts longer than the limit, and bytes after the text.
        if (!original.empty()) CHECK_FALSE(unpack_without.unpack(large, original.size() - 1, text));
        CHECK_FALSE(unpack_without.unpack(large + "x", original.size(), text));
        CHECK_FALSE(unpack_without.unpack(large.substr(1), original.size(), text));
    }
    CHECK_FALSE(unpack_without.unpack({}, 1000, text));
    CHECK(train_dictionary({}, {}, 4096).empty());
}

}  // namespace
