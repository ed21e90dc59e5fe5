// Positions as people type and paste them, and questions from named texts.
#include <catch2/catch.hpp>

#include "ask/find_question.hpp"
#include "ask/questions.hpp"
#include "ask/repeats_question.hpp"

namespace {

using namespace fendex;

ask::Given given(std::initializer_list<std::pair<const char*, const char*>> values) {
    ask::Given out;
    for (const auto& [name, value] : values) out.add(name, value);
    return out;
}

std::string code_of(const ask::Given& question) {
    try {
        static_cast<void>(ask::hits_question(question));
    } catch (const ask::QuestionError& error) {
        return error.code() + ' ' + error.field();
    }
    return {};
}

}  // namespace

TEST_CASE("Every spelling of a position is the same position") {
    const auto expected = ask::read_position(
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", std::nullopt);
    REQUIRE(expected.position);
    for (const char* const text :
         {"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
          "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-_0_2",
          "\"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"",
          "[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]",
          "https://lichess.org/analysis/rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/"
          "RNBQKBNR_w_KQkq_-_0_2",
          "https://www.chess.com/analysis?fen=rnbqkbnr%2Fpp1ppppp%2F8%2F2p5%2F4P3%2F8%2FPPPP1PPP%"
          "2FRNBQKBNR+w+KQkq+-+0+2"}) {
        CAPTURE(text);
        const ask::PositionText read = ask::read_position(text, std::nullopt);
        REQUIRE(read.position);
        CHECK(read.position->same_as(*expected.position));
    }
    const ask::Line line = ask::line_of(given({{"moves", "1.e4 c5"}}));
    CHECK(line.end.same_as(*expected.position));
    CHECK(ask::line_of(given({{"play", "e2e4,c7c5"}})).end.same_as(*expected.position));
}

TEST_CASE("startpos is of the variant of the question") {
    const auto read = ask::read_position("startpos", chess::Variant::kHorde);
    REQUIRE(read.position);
    CHECK(read.position->variant() == chess::Variant::kHorde);
    CHECK(read.variant == chess::Variant::kHorde);
}

TEST_CASE("Errors of a question name its field") {
    CHECK(code_of(given({{"fen", "nonsense"}})) == "bad_fen fen");
    CHECK(code_of(given({{"moves", "1.e5"}})) == "bad_move moves");
    CHECK(code_of(given({{"play", "e2e5"}})) == "bad_move play");
    CHECK(code_of(given({{"match", "most"}})) == "bad_match match");
    CHECK(code_of(given({{"variant", "other"}})) == "bad_variant variant");
    CHECK(code_of(given({{"key", "12"}})) == "bad_key key");
    CHECK(code_of(given({{"key", "0123456789abcdef"}, {"moves", "1.e4"}})) == "bad_question key");
    CHECK(code_of(given({{"pattern", "8"}})) == "bad_pattern pattern");
    CHECK(code_of(given({{"either-side", "true"}})) == "bad_question either-side");
    CHECK(code_of(given({{"moves", "1.e4"}})).empty());
    CHECK_THROWS_AS(ask::tree_kind().plan(given({{"since", "soon"}})), store::FilterError);
    CHECK_THROWS_AS(ask::repeats_question(given({{"rule50", "true"}, {"min", "3"}})),
                    ask::QuestionError);
}
