#include "upkeep/compact.hpp"

#include "store/sqlite/reader/reader.hpp"
#include "store/sqlite/writer/writer.hpp"

namespace fendex::upkeep {

bool compact(const std::string& database, const CompactOptions& options) {
    // Opening a writer removes what a killed import left, which makes free pages.
    const auto writer = store::open_sqlite_writer(database, "compact");
    const store::StoreInfo info = store::open_sqlite_reader(database)->info();
    const CompactPlan plan{store::plan_maintenance(info, options.memory_bytes), info};
    if (options.announce) options.announce(plan);
    store::Maintenance request;
    request.reindex = plan.reindex;
    request.vacuum = plan.vacuum;
    request.threads = options.threads;
    request.memory_bytes = options.memory_bytes;
    request.stop = options.stop;
    request.progress = options.progress;
    const bool done = writer->maintain(request);
    writer->close();
    return done;
}

}  // namespace fendex::upkeep
