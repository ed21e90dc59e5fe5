// A cluster that gets another shard, as samples/manual/cluster.md says it: answers stay those of
// the file, before and after the games are spread over both shards.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "clickhouse/program.hpp"
#include "clickhouse/pushing.hpp"
#include "clickhouse/questions.hpp"
#include "clickhouse/servers.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using clickhouse::Connection;

/// Returns the answers of a database to some of the questions.
std::string answers(const std::string& location) {
    constexpr std::size_t kStep = 17;
    const std::vector<Words> questions = questions_to_all_stores();
    std::string out;
    for (std::size_t i = 0; i < questions.size(); i += kStep) {
        Words question = question_at(location, questions[i]);
        question.push_back("--quiet");
        const Outcome outcome = run(question);
        out += std::to_string(outcome.status) + "\n" + outcome.out;
    }
    return out;
}

/// The positions that a server has of complete pushes.
std::uint64_t positions_of(const std::string& host) {
    Connection server(clickhouse::parse_url("clickhouse://" + host + "/chess"), "");
    return number(server, "SELECT count() FROM posting_shard WHERE " + kComplete);
}

}  // namespace

TEST_CASE("A cluster that gets another shard gives the answers of its file", "[clickhouse]") {
    OwnServers servers(kTwoShards);
    if (!servers.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const std::string samples = FENDEX_SAMPLES;
    const std::string url = servers.url("chess");
    must_run({"import", file, "--quiet", "--variations", samples + "/classics.pgn",
              samples + "/repetitions.pgn"});
    must_run({"push", file, url, "--cluster", "grown", "--quiet"});
    const std::string before = answers(file);
    CHECK(answers(url) == before);

    servers.grow();
    must_run({"import", file, "--quiet", "--variations", samples + "/online.pgn"});
    must_run({"push", file, url, "--quiet"});
    const std::string expected = answers(file);
    CHECK(expected != before);
    CHECK(answers(url) == expected);
    must_run({"push", file, url, "--check"});
    // The games of before are where they were.
    const std::uint64_t of_first = positions_of(servers.hosts()[0]);
    const std::uint64_t of_second = positions_of(servers.hosts()[1]);
    CHECK(of_second != 0);
    CHECK(of_first > 2 * of_second);

    must_run({"push", file, url, "--quiet", "--replace"});
    CHECK(answers(url) == expected);
    must_run({"push", file, url, "--check"});
    CHECK(positions_of(servers.hosts()[0]) + positions_of(servers.hosts()[1]) ==
          of_first + of_second);
    CHECK(positions_of(servers.hosts()[0]) < 2 * positions_of(servers.hosts()[1]));
}
