// Pushes the records of positions of a database: all of them, as a push of their own, whenever they
// have changed. Throws StoreError.
#pragma once

#include <cstdint>
#include <functional>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "store/local_reader.hpp"

namespace fendex::clickhouse {

/// Returns a checksum of what is known of the records without reading them: their sources, how many
/// each of these gave, and how many there are now. kNoRecords if there are none.
[[nodiscard]] std::uint64_t mark_of_records(store::LocalReader& reader);

/// Sends all records as rows of a push, and returns how many. Calls step() now and then.
std::uint64_t send_records(store::LocalReader& reader, Connection& connection, PushNumber push,
                           const std::function<void()>& step);

}  // namespace fendex::clickhouse
