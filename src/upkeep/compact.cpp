#include "upkeep/compact.hpp"

#include <algorithm>
#include <memory>

#include "store/sqlite/stored_postings.hpp"
#include "store/store.hpp"

namespace fendex::upkeep {

namespace {

/// More than a posting in the index took for any archive that was tried.
constexpr std::uint64_t kIndexBytes = 8;
/// The size of SQLite's log while a segment is written.
constexpr std::uint64_t kLogBytes = 96 << 20;

constexpr std::uint64_t beyond(std::uint64_t bytes, std::uint64_t have) {
    return bytes > have ? bytes - have : 0;
}

}  // namespace

CompactPlan plan_compact(const store::StoreInfo& before, std::size_t memory_bytes) {
    CompactPlan plan;
    plan.before = before;
    const std::uint64_t least =
        (before.last_game + codec::Posting::kMaxGames - 1) / codec::Posting::kMaxGames;
    plan.reindex = before.segments > least || before.unindexed_games != 0 ||
                   before.postings != before.positions;
    plan.vacuum = plan.reindex || before.free_bytes != 0;
    if (!plan.vacuum) return plan;
    const std::uint64_t index = plan.reindex ? before.positions * kIndexBytes : 0;
    const std::uint64_t growth = beyond(index, before.free_bytes);
    const std::uint64_t sorting = plan.reindex ? beyond(before.positions * sizeof(codec::Posting),
                                                        store::sorter_memory(memory_bytes))
                                               : 0;
    // The old index takes as much as the new one, apart from games that were in no segment.
    const std::uint64_t used =
        before.bytes - before.free_bytes + beyond(before.positions, before.postings) * kIndexBytes;
    // VACUUM writes a copy, and then the copy into the log.
    plan.bytes_needed = growth + std::max(sorting + std::min(index, kLogBytes), 2 * used);
    return plan;
}

bool compact(const std::string& database, const CompactOptions& options) {
    // Opening the writer removes what a killed import has left, which makes free pages.
    const std::shared_ptr<store::Store> store = store::Store::at(database);
    const std::unique_ptr<store::StoreWriter> writer = store->writer("compact");
    bool done = true;
    try {
        const CompactPlan plan = plan_compact(store->reader()->info(), options.memory_bytes);
        if (options.announce) options.announce(plan);
        store::Maintenance request;
        request.reindex = plan.reindex;
        request.vacuum = plan.vacuum;
        request.threads = options.threads;
        request.memory_bytes = options.memory_bytes;
        request.stop = options.stop;
        request.progress = options.progress;
        done = writer->maintain(request);
    } catch (...) {
        writer->rollback();
        writer->close();
        throw;
    }
    writer->close();
    return done;
}

}  // namespace fendex::upkeep
