// Node counts of variants, published by python-chess.
#include <catch2/catch.hpp>

#include "chess/fen.hpp"
#include "chess/perft_suite.hpp"
#include "chess/variant_movegen.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using chess::Variant;

void check_suite(const std::string& name, Variant variant) {
    constexpr std::uint64_t kMaxNodes = test::fewer(400'000U);
    for (const test::PerftCase& each :
         test::read_perft_suite(FENDEX_TEST_DATA "/perft/variants/" + name)) {
        const chess::FenResult fen = chess::parse_any_fen(each.epd, variant);
        INFO(name << ": " << each.id << ": " << each.epd);
        INFO(fen.error.field << ": " << fen.error.reason);
        REQUIRE(fen.variant_position);
        for (const test::PerftCount& expected : each.counts) {
            if (expected.nodes > kMaxNodes) continue;
            INFO("depth " << expected.depth);
            CHECK(chess::perft(*fen.variant_position, expected.depth) == expected.nodes);
        }
    }
}

}  // namespace

TEST_CASE("Perft: every variant has its published node counts") {
    check_suite("3check.perft", Variant::kThreeCheck);
    check_suite("atomic.perft", Variant::kAtomic);
    check_suite("crazyhouse.perft", Variant::kCrazyhouse);
    check_suite("giveaway.perft", Variant::kAntichess);
    check_suite("giveaway.perft", Variant::kSuicide);
    check_suite("horde.perft", Variant::kHorde);
    check_suite("racingkings.perft", Variant::kRacingKings);
}
