#include "store/sqlite/writer/maintenance_plan.hpp"

#include <algorithm>

#include "codec/posting.hpp"
#include "store/sqlite/file/memory_shares.hpp"

namespace fendex::store {

namespace {

/// Upper estimate of a posting's bytes in the index: larger than in any archive that was tried.
constexpr std::uint64_t kIndexBytes = 8;
/// The size of SQLite's log while a segment is written.
constexpr std::uint64_t kLogBytes = 96 << 20;

constexpr std::uint64_t beyond(std::uint64_t bytes, std::uint64_t have) {
    return bytes > have ? bytes - have : 0;
}

}  // namespace

MaintenancePlan plan_maintenance(const StoreInfo& before, std::size_t memory_bytes) {
    MaintenancePlan plan;
    const std::uint64_t least =
        (before.last_game + codec::Posting::kMaxGames - 1) / codec::Posting::kMaxGames;
    plan.reindex = before.index_pieces > least || before.unindexed_games != 0 ||
                   before.postings != before.positions;
    plan.vacuum = plan.reindex || before.free_bytes != 0 || before.record_runs != 0;
    if (!plan.vacuum) return plan;
    const std::uint64_t index = plan.reindex ? before.positions * kIndexBytes : 0;
    const std::uint64_t growth = beyond(index, before.free_bytes);
    const std::uint64_t sorting = plan.reindex ? beyond(before.positions * sizeof(codec::Posting),
                                                        sorter_memory(memory_bytes))
                                               : 0;
    // The new index takes as much as the old one, plus the postings of games that are in no
    // segment.
    const std::uint64_t used =
        before.bytes - before.free_bytes + beyond(before.positions, before.postings) * kIndexBytes;
    // VACUUM writes a copy, and then writes the copy into the log.
    plan.bytes_needed = growth + std::max(sorting + std::min(index, kLogBytes), 2 * used);
    return plan;
}

}  // namespace fendex::store
