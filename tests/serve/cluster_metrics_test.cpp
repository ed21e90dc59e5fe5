// What /metrics says of the servers of a cluster, with stores that say which of them answer.
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "ingest/importer.hpp"
#include "serve/database_service.hpp"
#include "store/store_error.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using Catch::Matchers::Contains;

/// The games of a file on servers that may be away. None can be read if one is.
class StoreOnServers final : public store::Store {
  public:
    StoreOnServers(const std::string& location, std::shared_ptr<store::Store> games,
                   const std::vector<store::ServerState>& states)
        : Store(location), games_(std::move(games)), states_(states) {}

    std::vector<store::ServerState> servers() override { return states_; }

  private:
    std::unique_ptr<store::StoreReader> new_reader() override {
        for (const store::ServerState& each : states_) {
            if (!each.is_up) throw store::StoreError(store::StoreError::kUnreachable, each.name);
        }
        return std::unique_ptr<store::StoreReader>(games_->reader().release());
    }
    std::unique_ptr<store::StoreWriter> new_writer(std::string_view,
                                                   std::shared_ptr<void>) override {
        return nullptr;
    }

    std::shared_ptr<store::Store> games_;
    const std::vector<store::ServerState>& states_;
};

}  // namespace

TEST_CASE("Metrics name the servers of a cluster, also while none can be read") {
    const test::TemporaryDirectory directory;
    const std::string file = directory / "games.db";
    ingest::import_files(file, {FENDEX_SAMPLES "/classics.pgn"}, {});
    const std::string cluster = "clickhouse://one:8123/chess";
    std::vector<store::ServerState> states{{"one:8123", true}, {"two:8123", true}};
    const serve::Databases databases(
        {file, cluster}, std::size_t{64} << 20,
        [&](const std::string& location,
            const store::CacheSizes& caches) -> std::shared_ptr<store::Store> {
            auto games = store::file_store(file, caches);
            if (location == file) return games;
            return std::make_shared<StoreOnServers>(location, std::move(games), states);
        });
    serve::DatabaseService service({}, databases);
    CHECK(service.cost_of_metrics() == serve::Cost::kSums);
    const auto line = [&](const std::string& server, int is_up) {
        return "\nfendex_cluster_server_up{database=\"" + cluster + "\",server=\"" + server +
               "\"} " + std::to_string(is_up) + "\n";
    };
    CHECK_THAT(service.metrics(), Contains(line("one:8123", 1)) && Contains(line("two:8123", 1)) &&
                                      Contains("# TYPE fendex_cluster_server_up gauge\n"));
    states[1].is_up = false;
    CHECK_THAT(service.metrics(), Contains(line("one:8123", 1)) && Contains(line("two:8123", 0)));

    serve::DatabaseService of_file({}, databases.some({file}));
    CHECK(of_file.cost_of_metrics() == serve::Cost::kLookUp);
    CHECK_THAT(of_file.metrics(), Contains("fendex_games") && !Contains("server_up"));
}
