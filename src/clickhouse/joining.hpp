// Joins pushes: one push gets the rows of several, which it replaces. So questions read a few large
// partitions and not many small ones. The servers copy the rows; each row stays on its shard.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ledger.hpp"

namespace fendex::clickhouse {

/// Pushes have levels by their rows: level 0 up to this number, and each next level up to eight
/// times as many. Pushes of the levels above kTopLevel are not joined.
inline constexpr std::uint64_t kRowsOfLevel0 = std::uint64_t{1} << 17;
inline constexpr unsigned kTopLevel = 4;

/// Returns the complete pushes of an origin that are to be joined now, by their games; empty if
/// none are. They are the last ones, and have no gap between their games. If each push is joined
/// when this says so, a row is copied a bounded number of times.
[[nodiscard]] std::vector<PushRecord> pushes_to_join(std::span<const PushRecord> complete);

/// Returns the push that replaces `members`, which are some of the pushes. Its stored_rows are the
/// numbers of rows that it must have; but 0 of tables of sums, whose rows are not copied.
[[nodiscard]] PushRecord joined_push(PushNumber number, std::span<const PushRecord> members,
                                     const OriginPushes& pushes);

/// Copies the rows of all pushes that `joined` replaces, on one host. Calls `step` before each
/// statement; its exceptions end the work.
void copy_rows(Connection& host, const PushRecord& joined, const OriginPushes& pushes,
               bool is_cluster, const std::function<void()>& step);

}  // namespace fendex::clickhouse
