// Replicas of a cluster: whether they have what was written. Rows are written to one replica of a
// shard, and the others copy them from there.
#pragma once

#include <chrono>
#include <functional>

#include "clickhouse/tables.hpp"

namespace fendex::clickhouse {

/// A query leaves out a replica that lacks rows which were written longer ago than this. A push
/// waits longer than this before it is complete if a replica is away: then no query reads from that
/// replica before it has copied the rows.
inline constexpr std::chrono::seconds kMostDelay{5};

/// Waits until all servers have the rows that were written before the call. Servers that do not
/// answer become `away`. Calls step() now and then; its exceptions end the wait. Throws StoreError
/// (kUnreachable) if a shard has no server left, or if a replica makes no progress, because only
/// servers that are away have the rows.
void wait_for_replicas(Servers& servers, const std::function<void()>& step);

}  // namespace fendex::clickhouse
