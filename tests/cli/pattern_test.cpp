// find with --pattern and --material: as JSON, counted, in pages, filtered, and refused.
#include <algorithm>
#include <set>

#include "cli/find_in_samples.hpp"

namespace {

using namespace fendex::test;

std::vector<std::int64_t> ids(const std::vector<Json>& answers) {
    std::vector<std::int64_t> out;
    for (const Json& answer : answers) out.push_back(answer["game_id"]);
    return out;
}

/// The final position of the first game, as a pattern that no other game fits.
const std::string kMateBoard = "r1bk3r/p2pBpNp/n4n2/*/*/*/*/*";

}  // namespace

TEST_CASE("find --pattern prints lines like those of find") {
    const auto by_pattern = find_json({"--pattern", kMateBoard});
    REQUIRE(by_pattern.size() == 1);
    CHECK(by_pattern == find_json({kMate}));
    // A pattern of the start finds the start of each game.
    const auto starts = find_json({"--pattern", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"});
    const auto exact = find_json({kStart});
    REQUIRE(ids(starts) == ids(exact));
    for (std::size_t i = 0; i < starts.size(); ++i) CHECK(starts[i]["san"] == exact[i]["san"]);
}

TEST_CASE("find --material counts, pages and sorts games") {
    const auto all = find_json({"--material", "KRPvKRP"});
    REQUIRE(!all.empty());
    std::size_t occurrences = 0;
    for (const Json& each : all) occurrences += each["plies"].size();
    const auto counted = find_json({"--material", "KRPvKRP", "--count"});
    CHECK(counted == std::vector<Json>{Json{{"games", all.size()}, {"occurrences", occurrences}}});
    CHECK(find_json({"--material", "P=1 R=1 Q=0 B=0 N=0 p=1 r=1 q=0 b=0 n=0"}) == all);

    const std::string queens = "Q=1 q=0";
    const auto many = ids(find_json({"--material", queens}));
    REQUIRE(many.size() > 5);
    CHECK(std::is_sorted(many.begin(), many.end()));
    CHECK(ids(find_json({"--material", queens, "--limit", "2", "--offset", "1"})) ==
          std::vector<std::int64_t>{many[1], many[2]});
    auto sorted = ids(find_json({"--material", queens, "--sort", "plies"}));
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == many);
    const auto wins = ids(find_json({"--material", queens, "--result", "1-0"}));
    CHECK(wins.size() < many.size());
    CHECK(std::includes(many.begin(), many.end(), wins.begin(), wins.end()));

    // Either side: the games of both questions.
    const auto reversed = ids(find_json({"--material", "Q=0 q=1"}));
    std::set<std::int64_t> either(many.begin(), many.end());
    either.insert(reversed.begin(), reversed.end());
    CHECK(ids(find_json({"--material", queens, "--either-side"})) ==
          std::vector<std::int64_t>(either.begin(), either.end()));
    CHECK(find_json({"--material", "Q=9"}).empty());
    CHECK(find({"--material", "KRPvKRP", "--format", "pgn"}).out.starts_with("[Event "));
}

TEST_CASE("find: an invalid pattern is refused with the place of the error") {
    check_refused(find({"--pattern", "8/8"}), {"--pattern: 2 ranks, but there must be 8"});
    check_refused(find({"--pattern", "*/*/*/*x/*/*/*/*"}), {"--pattern: character 8", "'x'"});
    check_refused(find({"--material", "KRPvR"}), {"--material: Black, 'R', must have one K"});
    check_refused(find({"--material", "Q=1 R~2"}), {"--material: character 6", "operator"});
    check_refused(find({"--either-side"}),
                  {"--either-side goes with --pattern, --material or --move"});
    check_refused(find({"--either-side", kStart}), {"--either-side goes with"});
    check_refused(find({kStart, "--material", "KRPvKRP"}), {"but not both"});
}
