// Rebuilds the index as a single import would have made it, in one segment, and makes the file as
// small as possible. Every committed state is valid, and readers can go on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/sqlite/segments/segmented_writer.hpp"
#include "store/sqlite/writer/maintenance_plan.hpp"
#include "store/store_reader.hpp"

namespace fendex::upkeep {

/// The work to be done, and the disk space for it.
struct CompactPlan : store::MaintenancePlan {
    store::StoreInfo before;
};

using CompactPhase = store::Maintenance::Phase;

struct CompactOptions {
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    /// Called with the plan before anything is done; if it throws, the work ends.
    std::function<void(const CompactPlan&)> announce;
    /// Called from time to time, in the calling thread.
    std::function<void(CompactPhase, double share)> progress;
    /// Called from time to time; if it returns true, the work ends, and what is done stays.
    std::function<bool()> stop;
};

/// Returns false if it was stopped. Throws StoreError.
bool compact(const std::string& database, const CompactOptions& options);

}  // namespace fendex::upkeep
