#include "upkeep/compact.hpp"

#include <memory>

#include "store/sqlite/file_store.hpp"

namespace fendex::upkeep {

bool compact(const std::string& database, const CompactOptions& options) {
    // Opening a writer removes what a killed import left, which makes free pages.
    const std::shared_ptr<store::Store> store = store::file_store(database);
    const std::unique_ptr<store::StoreWriter> writer = store->writer("compact");
    const CompactPlan plan{writer->maintenance()->plan_maintenance(options.memory_bytes),
                           store->reader()->info()};
    if (options.announce) options.announce(plan);
    store::Maintenance request;
    request.reindex = plan.reindex;
    request.vacuum = plan.vacuum;
    request.threads = options.threads;
    request.memory_bytes = options.memory_bytes;
    request.stop = options.stop;
    request.progress = options.progress;
    const bool done = writer->maintenance()->maintain(request);
    writer->close();
    return done;
}

}  // namespace fendex::upkeep
