// Plans the work that makes a SQLite database as small and as fast as possible: as few segments as
// possible, and no free pages. A pure function.
#pragma once

#include <cstddef>
#include <cstdint>

#include "store/store_reader.hpp"

namespace fendex::store {

struct MaintenancePlan {
    bool reindex = false;  // the index has more pieces than needed, or is not complete
    bool vacuum = false;   // there is free space, or will be
    /// Additional disk space for the new index, sorting and copies; a high estimate.
    std::uint64_t bytes_needed = 0;
};

/// Returns what SegmentedWriter::maintain() must do to make the database as small and as fast as
/// possible.
MaintenancePlan plan_maintenance(const StoreInfo& before, std::size_t memory_bytes);

}  // namespace fendex::store
