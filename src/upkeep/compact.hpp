// One segment of everything, and no free pages: the index as a single import would have made it,
// in a file as small as it gets. What is committed holds at any moment, and readers go on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/store_reader.hpp"
#include "store/store_writer.hpp"

namespace fendex::upkeep {

/// What there is to do for a database, and what it takes.
struct CompactPlan : store::MaintenancePlan {
    store::StoreInfo before;
};

using CompactPhase = store::Maintenance::Phase;

struct CompactOptions {
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    /// Told the plan before anything is done; what it throws ends it.
    std::function<void(const CompactPlan&)> announce;
    /// Called now and then, in the calling thread.
    std::function<void(CompactPhase, double share)> progress;
    /// Asked now and then: true ends it, and what is done stays.
    std::function<bool()> stop;
};

/// False where it was stopped. Throws StoreError.
bool compact(const std::string& database, const CompactOptions& options);

}  // namespace fendex::upkeep
