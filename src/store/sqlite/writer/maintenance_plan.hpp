// Plans the work that makes a SQLite database as small and as fast as possible: as few segments as
// possible, and no free pages. A pure function.
#pragma once

#include <cstddef>

#include "store/store_reader.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

MaintenancePlan plan_maintenance(const StoreInfo& before, std::size_t memory_bytes);

}  // namespace fendex::store
