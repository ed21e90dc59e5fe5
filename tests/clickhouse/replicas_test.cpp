// A cluster whose shard has two replicas: both have all rows, and answers survive the loss of one;
// without what keeps them equal it is refused.
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "clickhouse/open.hpp"
#include "clickhouse/program.hpp"
#include "clickhouse/push.hpp"
#include "clickhouse/pushing.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/servers.hpp"
#include "clickhouse/snapshot.hpp"
#include "clickhouse/tables.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using clickhouse::Connection;
using clickhouse::PushSummary;

const std::vector<Words> kQuestions = {{"find", "@", "--moves", "1. e4 e5", "--format", "json"},
                                       {"tree", "@", "--format", "json"},
                                       {"games", "@", "--player", "morphy", "--format", "json"},
                                       {"export", "@"}};

std::string answers(const std::string& location) {
    std::string out;
    for (const Words& question : kQuestions) {
        const Outcome outcome = run(question_at(location, question));
        INFO(question.front() << ": " << outcome.err);
        CHECK(outcome.status != 2);
        out += outcome.out;
    }
    return out;
}

PushSummary push_to(const std::string& file, const std::string& url) {
    clickhouse::PushOptions options;
    options.cluster = "copies";
    return clickhouse::push_database(*store::file_store(file), clickhouse::parse_url(url), options);
}

/// Returns the number of rows of each table that a server has itself.
std::vector<std::uint64_t> rows_of(const std::string& host, const std::string& database) {
    Connection server(clickhouse::parse_url("clickhouse://" + host + "/" + database), "");
    std::vector<std::uint64_t> out;
    for (const clickhouse::Table& table : clickhouse::tables()) {
        server.query("SELECT count() FROM " + clickhouse::local_name(table.name, true),
                     [&](clickhouse::RowReader& row) { out.push_back(row.u64()); });
    }
    return out;
}

}  // namespace

TEST_CASE("Replicas have the same rows, whichever of them is asked and written to",
          "[clickhouse]") {
    const TestDatabase database(kReplicas);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const std::string samples = FENDEX_SAMPLES;
    must_run({"import", file, "--quiet", samples + "/classics.pgn"});
    const auto url = [&](std::size_t host) {
        return "clickhouse://" + database.hosts().at(host) + "/" + database.name();
    };
    CHECK(push_to(file, url(0)).away.empty());
    must_run({"import", file, "--quiet", samples + "/repetitions.pgn"});
    must_run({"delete", file, "--quiet", "--games", "2"});
    // The second host drops nothing of the first's.
    CHECK(push_to(file, url(1)).taken_back == 1);
    CHECK(rows_of(database.hosts()[0], database.name()) ==
          rows_of(database.hosts()[1], database.name()));
    const std::string expected = answers(file);
    CHECK(answers(url(0)) == expected);
    CHECK(answers(url(1)) == expected);
    CHECK(run({"push", file, url(1), "--check"}).status == 0);
}

TEST_CASE("A cluster answers and takes pushes while one of two replicas is away",
          "[clickhouse][full]") {
    if (!full_size()) return;  // takes half a minute
    OwnServers servers(kReplicas);
    if (!servers.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const std::string samples = FENDEX_SAMPLES;
    const std::string url = servers.url_of_all("chess");
    must_run({"import", file, "--quiet", samples + "/classics.pgn"});
    push_to(file, url);
    std::string expected = answers(file);
    for (const std::size_t victim : {std::size_t{1}, std::size_t{0}}) {
        CAPTURE(victim);
        servers.kill(victim);
        CHECK(answers(url) == expected);
        must_run({"import", file, "--quiet",
                  samples + (victim == 1 ? "/repetitions.pgn" : "/online.pgn")});
        const PushSummary summary = push_to(file, url);
        CHECK(summary.away.size() == 1);
        expected = answers(file);
        CHECK(answers(url) == expected);
        servers.restart(victim);
        // It copies what it lacks; until then the other one answers.
        const std::string its_url = "clickhouse://" + servers.hosts()[victim] + "/chess";
        for (int i = 0; i < 5; ++i) CHECK(answers(its_url) == expected);
        CHECK(push_to(file, url).nothing_new);
        CHECK(rows_of(servers.hosts()[0], "chess") == rows_of(servers.hosts()[1], "chess"));
        CHECK(answers(url) == expected);
    }
}

TEST_CASE("Replicas without a keeper or replicated tables are refused before anything is written",
          "[clickhouse]") {
    const TestDatabase database(kOneServer);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(1))});
    const std::string words = "shard 1 of cluster 'copies' has 2 replicas";
    clickhouse::PushOptions options = options_for(database);
    options.cluster = "copies";
    const clickhouse::Url nowhere = clickhouse::parse_url(database.url() + "_none");
    CHECK_THROWS_WITH(clickhouse::push_database(*store::file_store(file), nowhere, options),
                      Catch::Contains(words) && Catch::Contains("no keeper"));
    Connection connection = database.connect();
    CHECK(number(connection, "SELECT count() FROM system.databases WHERE name = '" +
                                 nowhere.database + "'") == 0);
    // Tables that were made when the shard had no replica yet.
    clickhouse::Servers servers;
    servers.present.push_back({{}, database.connect()});
    clickhouse::create_tables(servers, "copies");
    const std::string not_replicated = words + ", but its tables are not replicated";
    CHECK_THROWS_WITH(clickhouse::open(database.url(), {}, "")->reader(),
                      Catch::Contains(not_replicated));
    CHECK_THROWS_WITH(push_file(file, database), Catch::Contains(not_replicated));
    CHECK_THROWS_WITH(check(file, database), Catch::Contains(not_replicated));
}
