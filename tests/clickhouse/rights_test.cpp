// fendex sends statements of the kinds whose rights samples/manual/cluster.md names, and no others.
#include <catch2/catch.hpp>
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "clickhouse/program.hpp"
#include "clickhouse/pushing.hpp"
#include "clickhouse/servers.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Kinds = std::set<std::string>;

/// A server of a test, and the kinds of statements that its user `logged` sends.
class LoggedServer {
  public:
    [[nodiscard]] bool is_there() const { return servers_.is_there(); }
    [[nodiscard]] std::string url() const {
        return "clickhouse://logged@" + servers_.hosts().front() + "/chess";
    }

    /// Returns the kinds of the statements since the last call, "CREATE TABLE" and "SELECT" among
    /// them.
    [[nodiscard]] Kinds kinds() {
        clickhouse::Connection server(
            clickhouse::parse_url("clickhouse://" + servers_.hosts().front() + "/default"), "");
        server.run("SYSTEM FLUSH LOGS");
        Kinds out;
        server.query(
            "SELECT DISTINCT upper(extract(query, '^\\\\s*((?:CREATE |KILL |SYSTEM )?\\\\w+)'))"
            " FROM system.query_log WHERE user = 'logged' AND type = 1 AND query_start_time > " +
                std::to_string(since_),
            [&](clickhouse::RowReader& row) { out.insert(std::string(row.string())); });
        server.query("SELECT toUInt64(toUInt32(now()))",
                     [&](clickhouse::RowReader& row) { since_ = row.u64(); });
        // So that the next statement has another second.
        std::this_thread::sleep_for(std::chrono::seconds(1));
        return out;
    }

  private:
    OwnServers servers_{kOneServer};
    std::uint64_t since_ = 0;
};

}  // namespace

TEST_CASE("A push and questions send statements of the kinds that the manual names",
          "[clickhouse]") {
    LoggedServer server;
    if (!server.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const std::string samples = FENDEX_SAMPLES;
    const auto push = [&] {
        must_run({"push", file, server.url(), "--quiet"});
        return server.kinds();
    };
    must_run({"import", file, "--quiet", samples + "/classics.pgn"});
    CHECK(push() == Kinds{"CREATE DATABASE", "CREATE TABLE", "CREATE VIEW", "SELECT", "INSERT"});
    // Nothing is missing now.
    must_run({"import", file, "--quiet", samples + "/repetitions.pgn"});
    CHECK(push() == Kinds{"SELECT", "INSERT"});
    must_run({"delete", file, "--quiet", "--games", "2"});
    CHECK(push() == Kinds{"SELECT", "INSERT"});
    // Rows that were replaced are dropped later; here at once.
    clickhouse::PushOptions options;
    options.replace = true;
    options.replaced_rows_stay = std::chrono::seconds(0);
    clickhouse::push_database(*store::file_store(file), clickhouse::parse_url(server.url()),
                              options);
    CHECK(server.kinds() == Kinds{"SELECT", "INSERT", "ALTER"});
    for (const Words& question : {Words{"tree", server.url(), "--min-elo", "2000"},
                                  Words{"find", server.url(), "--moves", "1. e4"},
                                  Words{"games", server.url(), "--player", "morphy"},
                                  Words{"sql", server.url(), "SELECT count() FROM games"}}) {
        must_run(question);
    }
    CHECK(server.kinds() == Kinds{"SELECT"});
}
