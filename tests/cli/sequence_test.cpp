// find with --move, --then, --within and --streak: as JSON, counted, in pages, and refused.
#include <algorithm>

#include "cli/find_in_samples.hpp"

using namespace fendex::test;

TEST_CASE("find --move finds the moves that games have") {
    const auto captures = find_json({"--move", "xf7"});
    REQUIRE(!captures.empty());
    for (const Json& each : captures) {
        const std::string san = each["san"];
        CHECK(san.find("xf7") != std::string::npos);
        CHECK_FALSE(each.contains("steps"));
    }
    std::size_t occurrences = 0;
    for (const Json& each : captures) occurrences += each["plies"].size();
    CHECK(find_json({"--move", "xf7", "--count"}) ==
          std::vector<Json>{Json{{"games", captures.size()}, {"occurrences", occurrences}}});
    for (const Json& each : find_json({"--move", "black O-O-O", "--limit", "5"})) {
        CHECK(each["ply"].get<int>() % 2 == 1);
        CHECK(each["san"].get<std::string>().starts_with("O-O-O"));
    }
    // A move, with the board before it.
    const auto first =
        find_json({"--move", "e4", "--pattern", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"});
    CHECK(!first.empty());
    for (const Json& each : first) CHECK(each["ply"] == 0);
}

TEST_CASE("find --then finds steps one after another") {
    const auto trades = find_json({"--move", "white xQ", "--then", "black xQ", "--streak"});
    REQUIRE(trades.size() > 5);
    for (const Json& each : trades) {
        const std::vector<int> steps = each["steps"];
        REQUIRE(steps.size() == 2);
        CHECK(steps[0] == each["ply"]);
        CHECK(steps[1] == steps[0] + 1);
    }
    const Words sooner{"--move", "white xQ", "--then", "black xQ", "--within", "3"};
    const auto later = find_json(sooner);
    CHECK(later.size() >= trades.size());
    CHECK(find_json({"--move", "white xQ", "--then", "black xQ within 1"}) == trades);
    CHECK(find_json({"--move", "white xQ", "--then", "black xQ within 1", "--within", "9"}) ==
          trades);
    for (const Json& each : find_json({"--move", "Ng1-f3-g5", "--then", "xf7", "--either-side"})) {
        CHECK(each["steps"].size() == 3);
    }
    auto ids = [](const std::vector<Json>& answers) {
        std::vector<std::int64_t> out;
        for (const Json& answer : answers) out.push_back(answer["game_id"]);
        std::ranges::sort(out);
        return out;
    };
    Words sorted = sooner;
    sorted.insert(sorted.end(), {"--sort", "plies"});
    CHECK(ids(find_json(sorted)) == ids(later));
    Words some = sooner;
    some.insert(some.end(), {"--limit", "2", "--offset", "1"});
    CHECK(find_json(some) == std::vector<Json>{later[1], later[2]});
    Words table = sooner;
    table.insert(table.end(), {"--format", "csv"});
    CHECK(lines_of(find(table).out).front().find(",san,uci,steps") != std::string::npos);
}

TEST_CASE("find: wrong steps are refused with the place of the error") {
    check_refused(find({"--move", "Nz3"}), {"--move: 'Nz3', character 2: 'z'"});
    check_refused(find({"--move", "e4", "--then", "e5", "--then", "KvR"}),
                  {"--then: step 3: 'KvR', Black, 'R', must have one K"});
    check_refused(find({"--then", "e5"}), {"--then goes with --pattern, --material or --move"});
    check_refused(find({"--within", "3", kStart}), {"--within goes with"});
    check_refused(find({"--move", "e4", "--then", "e5", "--within", "0"}), {"--within"});
    check_refused(find({"--move", "e4", "--then", "e5", "--within", "2", "--streak"}),
                  {"within or streak, not both"});
    check_refused(find({"--move", "e4", "--within", "2"}), {"--within: within goes with then"});
    check_refused(find({kStart, "--move", "e4"}), {"but not both"});
    check_refused(find({"--move", "Ng1-f3-g5", "--eval", "0.."}), {"eval goes with one position"});
}
