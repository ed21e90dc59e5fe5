#include "clickhouse/open.hpp"

#include <utility>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/reader.hpp"
#include "clickhouse/server_health.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

class ClusterStore final : public store::Store {
  public:
    ClusterStore(const std::string& location, const store::CacheSizes& caches, std::string password)
        : Store(location, caches),
          url_(parse_url(location)),
          password_(std::move(password)),
          source_(std::make_shared<SnapshotSource>(caches.snapshot_cache_bytes)) {}

    std::vector<store::ServerState> servers() override {
        return health_.look(Connection(url_, password_));
    }

  private:
    std::unique_ptr<store::StoreReader> new_reader() override {
        return open_reader(Connection(url_, password_), source_);
    }
    std::unique_ptr<store::StoreWriter> new_writer(std::string_view /*purpose*/,
                                                   std::shared_ptr<void> /*open*/) override {
        throw store::StoreError(store::StoreError::kOther,
                                location() +
                                    ": a cluster is written by 'fendex push': import into a "
                                    "database file, and push that");
    }

    Url url_;
    std::string password_;
    std::shared_ptr<SnapshotSource> source_;
    HealthOfServers health_;
};

}  // namespace

bool has_clusters() { return true; }

bool is_cluster(const std::string& location) { return is_url(location); }

std::shared_ptr<store::Store> open(const std::string& location, const store::CacheSizes& caches,
                                   const std::string& password) {
    return std::make_shared<ClusterStore>(location, caches, password);
}

}  // namespace fendex::clickhouse
