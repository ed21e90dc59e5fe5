#include "codec/swing.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "codec/annotation.hpp"
#include "codec/comment_commands.hpp"

using namespace fendex;
using chess::Color;
using codec::Score;

namespace {

constexpr Score cp(std::int32_t value) { return {false, value}; }
constexpr Score mate(std::int32_t value) { return {true, value}; }

}  // namespace

TEST_CASE("a move loses what the evaluation lost from the mover's view") {
    CHECK(codec::move_loss(cp(30), cp(-170), Color::kWhite) == 200U);
    CHECK(codec::move_loss(cp(30), cp(-170), Color::kBlack) == 0U);
    CHECK(codec::move_loss(cp(-170), cp(30), Color::kBlack) == 200U);
    CHECK(codec::move_loss(std::nullopt, cp(30), Color::kBlack) == std::nullopt);
    CHECK(codec::move_loss(cp(30), std::nullopt, Color::kBlack) == std::nullopt);
}

TEST_CASE("scores beyond ten pawns and mates count as ten pawns") {
    CHECK(codec::move_loss(cp(2500), mate(5), Color::kWhite) == 0U);
    CHECK(codec::move_loss(mate(2), mate(9), Color::kWhite) == 0U);
    CHECK(codec::move_loss(mate(2), mate(-1), Color::kWhite) == 2000U);
    CHECK(codec::move_loss(cp(-3000), mate(-1), Color::kWhite) == 0U);
    CHECK(codec::move_loss(cp(20), mate(3), Color::kBlack) == 980U);
    // Mate in no moves: the player who moved last has mated.
    CHECK(codec::move_loss(mate(1), mate(0), Color::kWhite) == 0U);
    CHECK(codec::move_loss(mate(-1), mate(0), Color::kBlack) == 0U);
    CHECK(codec::move_loss(cp(0), mate(0), Color::kBlack) == 0U);
}

TEST_CASE(
    "the swing of a player is the largest loss, and a ply without evaluation breaks the pair") {
    const std::vector<codec::PlyScore> scores{
        {0, cp(20)}, {1, cp(-30)}, {2, cp(10)}, {4, cp(-900)}, {5, cp(-910)}};
    const codec::GameSwings white_first = codec::swings_of(scores, Color::kWhite);
    CHECK(white_first == codec::GameSwings{50, 40});
    CHECK(codec::swings_of(scores, Color::kBlack) == codec::GameSwings{0, 0});
    CHECK_FALSE(codec::swings_of({}, Color::kWhite).is_known());
    CHECK(codec::swings_of(std::span(scores).first(2), Color::kWhite) ==
          codec::GameSwings{50, std::nullopt});
}

TEST_CASE("evaluations are read from the comments of the main line, the first of each ply") {
    codec::AnnotationStreamWriter writer;
    writer.comment("[%eval 0.2]");
    writer.move();
    writer.comment("no number [%eval x] here");
    writer.comment("a second one [%clk 0:01:00] [%eval -0.35,20]");
    writer.open();
    writer.word("e4");
    writer.comment("[%eval 9]");
    writer.close();
    writer.move();
    writer.move();
    writer.comment("[%eval #-3] [%eval 4]");
    std::string stream;
    writer.append_to(stream);
    const std::vector<codec::PlyScore> scores = codec::scores_of_annotation(stream);
    REQUIRE(scores.size() == 3);
    CHECK((scores[0].ply == 0 && scores[0].score == cp(20)));
    CHECK((scores[1].ply == 1 && scores[1].score == cp(-35)));
    CHECK((scores[2].ply == 3 && scores[2].score == mate(-3)));
}

TEST_CASE("an evaluation is centipawns or a mate, or it is none") {
    CHECK(codec::eval_score("[%eval 1.005]") == cp(100));
    CHECK(codec::eval_score("[%eval +0.29]") == cp(29));
    CHECK(codec::eval_score("[%eval 1e300]")->value == 2'147'483'647);
    CHECK(codec::eval_score("[%eval #-99999999999]") == mate(-2'147'483'647));
    for (const char* const text : {"", "[%eval nan]", "[%eval inf]", "[%eval ]", "[%evals 1]"}) {
        CHECK(codec::eval_score(text) == std::nullopt);
    }
}

TEST_CASE("the codes of swings have 24 bits, and 0 if both are unknown") {
    CHECK(codec::code_of_swings({}) == 0);
    const std::uint32_t code = codec::code_of_swings({0, codec::kMostSwing});
    CHECK(codec::swing_code_of(code, Color::kWhite) == 1);
    CHECK(codec::swing_code_of(code, Color::kBlack) == codec::kMostSwing + 1);
    CHECK(code < 1U << 24);
    CHECK(codec::swing_code_of(codec::code_of_swings({std::nullopt, 5}), Color::kWhite) == 0);
}
