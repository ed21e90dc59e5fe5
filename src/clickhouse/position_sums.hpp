// Fills table `position_sum` for a push. Each server computes the sums of its own rows.
#pragma once

#include <functional>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"

namespace fendex::clickhouse {

/// A position has sums if a push has at least this many rows of it. Do not change: readers rely on
/// it.
inline constexpr unsigned kSummedRows = 512;

/// Writes the sums of a push on one host. Calls `step` before each statement; its exceptions end
/// the work.
void write_position_sums(Connection& host, PushNumber push, bool is_cluster,
                         const std::function<void()>& step);

}  // namespace fendex::clickhouse
