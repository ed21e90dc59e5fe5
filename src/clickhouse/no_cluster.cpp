// In place of the ClickHouse store, in a build without it (FENDEX_CLUSTER=OFF).
#include "clickhouse/client/url.hpp"
#include "clickhouse/open.hpp"
#include "clickhouse/sql_rows.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

[[noreturn]] void refuse(const std::string& location) {
    throw store::StoreError(store::StoreError::kOther,
                            location +
                                ": this build of fendex cannot query clusters: it was configured "
                                "with FENDEX_CLUSTER=OFF");
}

}  // namespace

bool has_clusters() { return false; }

bool is_cluster(const std::string& location) { return is_url(location); }

std::shared_ptr<store::Store> open(const std::string& location, const store::CacheSizes& /*caches*/,
                                   const std::string& /*password*/) {
    refuse(location);
}

void run_sql(const std::string& location, const std::string& /*password*/,
             std::string_view /*statement*/, const ColumnsVisitor& /*begin*/,
             const ValuesVisitor& /*row*/) {
    refuse(location);
}

}  // namespace fendex::clickhouse
