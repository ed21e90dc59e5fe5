// Checks and repairs the tables of records of positions. Records cannot be computed from anything
// else: a repair drops blocks that are damaged, and says which keys they had.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

struct RecordDamage {
    std::string_view table;
    std::int64_t row = 0;
    std::string message;
};

/// Calls visit() with everything that is damaged.
void check_records(Connection& connection, const std::function<void(const RecordDamage&)>& visit);

/// Makes the tables whole again, in the transaction of the connection. Returns what was damaged.
std::vector<RecordDamage> repair_records(Connection& connection);

}  // namespace fendex::store
