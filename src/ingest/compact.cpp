#include "ingest/compact.hpp"

#include <algorithm>
#include <memory>

#include "ingest/reindex.hpp"
#include "ingest/stored_postings.hpp"
#include "store/store_writer.hpp"

namespace fendex::ingest {

namespace {

/// No archive has been seen to take so much for a posting in the index.
constexpr std::uint64_t kIndexBytes = 8;
/// What SQLite's log grows to while a segment is written.
constexpr std::uint64_t kLogBytes = 96 << 20;

constexpr std::uint64_t beyond(std::uint64_t bytes, std::uint64_t have) {
    return bytes > have ? bytes - have : 0;
}

struct Stopped {};

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
                                                        sorter_memory(memory_bytes))
                                               : 0;
    // The old index takes about what the new one does, but for games that were in none.
    const std::uint64_t used =
        before.bytes - before.free_bytes + beyond(before.positions, before.postings) * kIndexBytes;
    // VACUUM writes its copy, and that into the log.
    plan.bytes_needed = growth + std::max(sorting + std::min(index, kLogBytes), 2 * used);
    return plan;
}

bool compact(const std::string& database, const CompactOptions& options) {
    // What an import that was killed has left goes here, and makes free pages.
    const std::unique_ptr<store::StoreWriter> writer = store::open_writer(database, "compact");
    const auto stopped = [&] { return options.stop && options.stop(); };
    const auto report = [&](CompactPhase phase, double share) {
        if (options.progress) options.progress(phase, share);
    };
    bool done = true;
    try {
        const CompactPlan plan =
            plan_compact(store::open_reader(database)->info(), options.memory_bytes);
        if (options.announce) options.announce(plan);
        if (plan.reindex) {
            ReindexOptions reindexing;
            reindexing.threads = options.threads;
            reindexing.memory_bytes = options.memory_bytes;
            reindexing.progress = [&](double share) {
                if (stopped()) throw Stopped();
                report(CompactPhase::kIndexing, share);
            };
            reindex(database, *writer, reindexing);
            writer->commit();
        }
        if (plan.vacuum) {
            report(CompactPhase::kVacuum, 0);
            done = writer->vacuum(stopped);
        }
    } catch (const Stopped&) {
        done = false;
    } catch (...) {
        writer->rollback();
        writer->close();
        throw;
    }
    if (!done) writer->rollback();
    writer->close();
    return done;
}

}  // namespace fendex::ingest
