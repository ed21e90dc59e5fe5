// Node counts of published perft suites: a selection here, and all of them to a small depth if the
// corpus is available. tests/chess/long counts them to every depth.
#include <catch2/catch.hpp>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/perft_suite.hpp"
#include "support/corpus.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;

/// Counts every line of a suite with at most `max_nodes` nodes; returns the number of these lines.
unsigned check_suite(const std::string& path, std::uint64_t max_nodes) {
    unsigned checked = 0;
    for (const test::PerftCase& each : test::read_perft_suite(path)) {
        const chess::FenResult fen = chess::parse_fen(each.epd);
        INFO(path << ": " << each.id << ": " << each.epd);
        INFO(fen.error.field << ": " << fen.error.reason);
        REQUIRE(fen.position);
        for (const test::PerftCount& expected : each.counts) {
            if (expected.nodes > max_nodes) continue;
            const std::uint64_t nodes = chess::perft(*fen.position, expected.depth);
            if (nodes != expected.nodes) {
                FAIL_CHECK("perft " << expected.depth << ": " << nodes << ", not "
                                    << expected.nodes);
            }
            ++checked;
        }
    }
    return checked;
}

void check_corpus(const std::string& name, unsigned expected_lines) {
    constexpr std::uint64_t kMaxNodes = 20'000;
    CHECK(check_suite(test::whole_corpus() + "/fen/python-chess/" + name, kMaxNodes) ==
          expected_lines);
}

}  // namespace

TEST_CASE("Perft: random, tricky and Chess960 positions have their published node counts") {
    constexpr std::uint64_t kMaxNodes = test::kSanitized ? 20'000 : UINT64_MAX;
    const std::string folder = std::string(FENDEX_TEST_DATA) + "/perft/";
    CHECK(check_suite(folder + "random.perft", kMaxNodes) == (test::kSanitized ? 106 : 157));
    CHECK(check_suite(folder + "tricky.perft", kMaxNodes) == (test::kSanitized ? 53 : 66));
    CHECK(check_suite(folder + "chess960.perft", kMaxNodes) == (test::kSanitized ? 155 : 180));
}

TEST_CASE("Perft: every random position of the corpus has its node counts to a small depth",
          "[.corpus]") {
    check_corpus("random.perft", 17964);
}

TEST_CASE("Perft: every tricky position of the corpus has its node counts to a small depth",
          "[.corpus]") {
    check_corpus("tricky.perft", 53);
}

TEST_CASE("Perft: every Chess960 position of the corpus has its node counts to a small depth",
          "[.corpus]") {
    check_corpus("chess960.perft", 2420);
}
