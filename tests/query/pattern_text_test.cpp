// Patterns as people write them: which positions match, and messages for invalid patterns.
#include "query/pattern_text.hpp"

#include <catch2/catch.hpp>

#include "chess/bare_board.hpp"
#include "chess/random_play.hpp"
#include "query/pattern_twin.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

const std::string kAnyBoard = "*/*/*/*/*/*/*/*";

bool matches(const query::PatternText& text, const std::string& fen) {
    const query::PatternResult result = query::parse_pattern(text);
    INFO(result.error);
    REQUIRE(result.pattern);
    return result.pattern->matches(*chess::parse_fen(fen).position);
}

bool board_matches(const std::string& board, const std::string& fen, bool either_side = false) {
    return matches({board, std::nullopt, either_side}, fen);
}
bool material_matches(const std::string& material, const std::string& fen,
                      bool either_side = false) {
    return matches({std::nullopt, material, either_side}, fen);
}

std::string board_error(const std::string& board) {
    const query::PatternResult result = query::parse_pattern({board, std::nullopt, false});
    CHECK_FALSE(result.pattern);
    CHECK(result.field == "pattern");
    return result.error;
}
std::string material_error(const std::string& material) {
    const query::PatternResult result = query::parse_pattern({std::nullopt, material, false});
    CHECK_FALSE(result.pattern);
    CHECK(result.field == "material");
    return result.error;
}

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string kRooks = "8/8/4k3/8/3RP3/4K3/r7/8 w - - 0 1";

}  // namespace

TEST_CASE("Boards: each sign of a pattern matches its pieces") {
    CHECK(board_matches(kAnyBoard, kStart));
    const std::string any(8, '?');  // written out, it would be a trigraph before a slash
    CHECK(board_matches(any + "/8/*/*/*/*/*/" + any, kRooks));
    CHECK_FALSE(board_matches("*/8/*/*/*/*/*/*", kStart));
    CHECK(board_matches("rnbqkbnr/*/*/*/*/*/*/RNBQKBNR", kStart));
    CHECK(board_matches("!!!!!!!!/a*/*/*/8/*/A*/*A", kStart));
    CHECK_FALSE(board_matches("*A/*/*/*/*/*/*/*", kStart));
    CHECK_FALSE(board_matches("*/*/*/*/*/*/*/*a", kStart));
    CHECK_FALSE(board_matches("*/*/*/!*/*/*/*/*", kStart));
    CHECK(board_matches("[Rr]*[Rr]/*/*/*/*/*/*/[QRq]*", kStart));
    CHECK_FALSE(board_matches("[QqN]*/*/*/*/*/*/*/*", kStart));
    CHECK(board_matches("*/*/[^Pp]*/*/*/*/*/[^Pp]*", kStart));
    CHECK_FALSE(board_matches("*/[^Pp]*/*/*/*/*/*/*", kStart));
    CHECK(board_matches("[Ap]*/*/*/*/*/*/*/*", kStart) == false);
    CHECK(board_matches("[Ar]*/*/*/*/*/*/*/[Ar]*", kStart));
    CHECK(board_matches("8/8/4k3/8/3RP3/4K3/r7/8", kRooks));
    CHECK(board_matches("44/8/4k3/26/3RP3/4K3/r7/8", kRooks));
    CHECK_FALSE(board_matches("8/8/4k3/8/3RP3/4K3/r7/7p", kRooks));
}

TEST_CASE("Material: patterns match exact and bounded material") {
    CHECK(material_matches("KRPvKR", kRooks));
    CHECK(material_matches("krpVkr", kRooks));
    CHECK(material_matches("PRKvRK", kRooks));
    CHECK_FALSE(material_matches("KRvKRP", kRooks));
    CHECK(material_matches("KRvKRP", kRooks, true));
    CHECK_FALSE(material_matches("KRPvK", kRooks));
    CHECK_FALSE(material_matches("KRPPvKR", kRooks));
    CHECK(material_matches("KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", kStart));
    CHECK(material_matches("Q=0 R>=1 q=0, r<2 P!=0 p<=0 N<1 n>=0", kRooks));
    CHECK(material_matches(" R = 1 ", kRooks));
    CHECK_FALSE(material_matches("R>1", kRooks));
    CHECK_FALSE(material_matches("P=0", kRooks));
    CHECK(material_matches("P=0", kRooks, true));
    CHECK(material_matches("P<100", kStart));
    CHECK_FALSE(material_matches("P=99999999999999999999", kStart));
    CHECK_FALSE(material_matches("P=7 P=8", kStart));
    // White has a pawn more; with colours exchanged, one fewer.
    CHECK(material_matches("P-p=1 R-r=0", kRooks));
    CHECK(material_matches("p-P=-1, r - R >= 0", kRooks));
    CHECK(material_matches("P-p>0 P-p<2 P-p!=0 P-p!=-1 P-p>=1 P-p<=1 Q-q<1", kRooks));
    CHECK_FALSE(material_matches("P-p=-1", kRooks));
    CHECK(material_matches("P-p=-1", kRooks, true));
    CHECK_FALSE(material_matches("P-p!=1", kRooks));
    CHECK_FALSE(material_matches("P-p>1", kRooks));
    CHECK_FALSE(material_matches("p-P>=0", kRooks));
    CHECK_FALSE(material_matches("p-P<-1", kRooks));
    CHECK(material_matches("p-P<-1", "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1"));
    CHECK(material_matches("P=1 P-p<=1", kRooks));
    CHECK(matches({"*/*/*/*/3R*/*/*/*", "KRPvKR", false}, kRooks));
    // b3 and e6 are light, d6 is dark.
    CHECK(material_matches("opposite", "7k/8/3b4/8/8/1B6/P7/4K3 w - - 0 1"));
    CHECK_FALSE(material_matches("opposite", "7k/8/4b3/8/8/1B6/P7/4K3 w - - 0 1"));
    CHECK(material_matches("KBPvKB opposite", "7k/8/3b4/8/8/1B6/P7/4K3 w - - 0 1"));
    CHECK_FALSE(material_matches("KBvKB opposite", "7k/8/3b4/8/8/1B6/P7/4K3 w - - 0 1"));
    CHECK(material_matches("KBvKBP opposite", "7k/8/3b4/8/8/1B6/P7/4K3 w - - 0 1", true));
    CHECK(material_matches("P=1, opposite", "7k/8/3b4/8/8/1B6/P7/4K3 w - - 0 1"));
    CHECK_FALSE(material_matches("opposite", "7k/8/3b4/2b5/8/1B6/P7/4K3 w - - 0 1"));
    CHECK_FALSE(material_matches("opposite", kRooks));
    CHECK_FALSE(matches({"*/*/*/*/3r*/*/*/*", "KRPvKR", false}, kRooks));
    // --either-side exchanges colours in board and material together.
    CHECK(matches({"*/*/*/*/????p*/*/*/*", "KRPvKR", true}, "8/8/4k3/3rp3/8/4K3/R7/8 w - - 0 1") ==
          false);
    CHECK(matches({"*/*/*/*/????P*/*/*/*", "KRPvKR", true}, "8/8/4k3/3rp3/8/4K3/R7/8 w - - 0 1"));
}

TEST_CASE("An invalid pattern is refused with the place of the error") {
    CHECK(board_error("") == "rank 8 has 0 squares, not 8: ''");
    CHECK(board_error("*/P?P?P?p/8/8/8/8/8/8") == "rank 7 has 7 squares, not 8: 'P?P?P?p'");
    CHECK(board_error("8/8/8/9/8/8/8/8") ==
          "character 7: '9' is not a piece, digit 1 to 8, ?, !, A, a, [...] or *");
    CHECK(board_error("8/8/8/45/8/8/8/8") == "rank 5 has more than 8 squares");
    CHECK(board_error("8/8/8/8") == "4 ranks, but there must be 8, with slashes between them");
    CHECK(board_error("8") == "1 rank, but there must be 8, with slashes between them");
    CHECK(board_error("8/8/8/8/8/8/8/8/8") == "more than 8 ranks");
    CHECK(board_error("8/8/8/8/8/8/8/8/") == "more than 8 ranks");
    CHECK(board_error("*P*/8/8/8/8/8/8/8") == "character 3: a second * in rank 8");
    CHECK(board_error("[Pp*/8/8/8/8/8/8/8") ==
          "character 4: '*' cannot be in brackets: pieces, A, a and ! can");
    CHECK(board_error("*/[Pp") == "character 3: [ without ]");
    CHECK(board_error("*/[]*") == "character 3: nothing between the brackets");
    CHECK(board_error("*/[^]*") == "character 3: nothing between the brackets");
    CHECK(board_error(kStart) == "character 44: a blank; a pattern has no other fields of a FEN");
    CHECK(material_error("") == "neither two sides, as KRPvKR, nor conditions, as 'Q=1 r>=1'");
    CHECK(material_error("KRPvR") == "Black, 'R', must have one K, as in KRPvKR");
    CHECK(material_error("KKvK") == "White, 'KK', must have one K, as in KRPvKR");
    CHECK(material_error("KXvK") == "character 2: 'X' is not one of K Q R B N P, as in KRPvKR");
    CHECK(material_error("KvKvK") == "character 4: 'v' is not one of K Q R B N P, as in KRPvKR");
    CHECK(material_error("K=1") ==
          "character 1: 'K' is not one of P N B R Q (White) and p n b r q (Black), as in R>=1");
    CHECK(material_error("Q") == "character 2: an operator is missing after 'Q': = != < <= > >=");
    CHECK(material_error("Q=1 R=>1") ==
          "character 6: '=>' is not an operator after 'R': = != < <= > >=");
    CHECK(material_error("Q=1opposite") ==
          "character 4: 'o' is not one of P N B R Q (White) and p n b r q (Black), as in R>=1");
    CHECK(material_error("P>=-1") == "character 4: a number is missing after 'P>='");
    CHECK(material_error("P-r=1") == "character 3: 'p' must follow 'P-', as in R-r=1");
    CHECK(material_error("P-") == "character 3: 'p' must follow 'P-', as in R-r=1");
    CHECK(material_error("P-p") ==
          "character 4: an operator is missing after 'P-p': = != < <= > >=");
    CHECK(material_error("P-p=-") == "character 6: a number is missing after 'P-p=-'");
    CHECK(material_error("Q>=") == "character 4: a number is missing after 'Q>='");
}

TEST_CASE("A pattern's masks match the same boards as looking at every square", "[full]") {
    Random random(71);
    unsigned matched = 0;
    unsigned unmatched = 0;
    std::vector<chess::Position> positions;
    for (unsigned turn = 0; turn < at_size(20U, 60U); ++turn) {
        random_game(any_start(random, turn), random, 160,
                    [&](const chess::Position& p, chess::Move) { positions.push_back(p); });
    }
    for (unsigned round = 0; round < fewer(at_size(300U, 2'000U)); ++round) {
        const std::string model = squares_of(positions[random() % positions.size()]);
        const std::string board =
            random_board(model, 2 + static_cast<unsigned>(random() % 90), random);
        const std::string material = random_material(model, random);
        const bool either_side = random() % 2 == 0;
        const bool with_board = random() % 5 != 0;
        const bool with_material = !with_board || random() % 2 == 0;
        query::PatternText text;
        if (with_board) text.board = board;
        if (with_material) text.material = material;
        text.either_side = either_side;
        CAPTURE(board, material, either_side, with_board, with_material);
        const query::PatternResult result = query::parse_pattern(text);
        INFO(result.error);
        REQUIRE(result.pattern);
        const auto tokens = tokens_of(board);
        const auto fits_all = [&](const std::string& squares) {
            return (!with_board || board_fits(tokens, squares)) &&
                   (!with_material || material_fits(material, squares));
        };
        REQUIRE(fits_all(model));
        for (unsigned n = 0; n < 200; ++n) {
            const chess::Position& position = positions[random() % positions.size()];
            const std::string squares = squares_of(position);
            const bool expected = fits_all(squares) || (either_side && fits_all(reversed(squares)));
            REQUIRE(result.pattern->matches(position) == expected);
            REQUIRE(result.pattern->matches(chess::BareBoard(position)) == expected);
            ++(expected ? matched : unmatched);
        }
    }
    CHECK(matched > fewer(at_size(1'500U, 10'000U)));
    CHECK(unmatched > fewer(at_size(1'500U, 10'000U)));
}

TEST_CASE("Material of variants: kings are counted if a side need not have one") {
    const auto says = [](const std::string& material, chess::Variant variant, const char* fen) {
        query::PatternText text{std::nullopt, material, false, variant};
        const query::PatternResult result = query::parse_pattern(text);
        INFO(material << ": " << result.error);
        REQUIRE(result.pattern);
        const chess::FenResult position = chess::parse_any_fen(fen, variant);
        INFO(position.error.reason);
        REQUIRE(position.variant_position);
        return result.pattern->matches(*position.variant_position);
    };
    using enum chess::Variant;
    const char* const exploded = "8/8/8/8/8/8/4P3/4K3 b - - 0 1";
    CHECK(says("KPv", kAtomic, exploded));
    CHECK_FALSE(says("KPvK", kAtomic, exploded));
    CHECK(says("k=0", kAtomic, exploded));
    CHECK_FALSE(says("k=1", kAtomic, exploded));
    const char* const horde = "4k3/8/8/8/8/8/PP6/8 w - - 0 1";
    CHECK(says("PPvK", kHorde, horde));
    CHECK_FALSE(says("KPPvK", kHorde, horde));
    CHECK(says("KKvK", kAntichess, "4k3/8/8/8/8/8/8/2K1K3 w - - 0 1"));
    CHECK_FALSE(says("KvK", kSuicide, "4k3/8/8/8/8/8/8/2K1K3 w - - 0 1"));
    for (const chess::Variant variant : {kStandard, kCrazyhouse, kThreeCheck, kRacingKings}) {
        for (const char* const material : {"PPvK", "KvKK", "K=1"}) {
            CHECK_FALSE(query::parse_pattern({std::nullopt, material, false, variant}).pattern);
        }
    }
}
