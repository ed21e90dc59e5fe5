// The sums over the games of frequent positions: tables `position_sum` and `fine_sum`. Each server
// computes those of its own rows of `posting`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/schema.hpp"

namespace fendex::clickhouse {

/// A position has sums if a push has at least this many rows of it. Do not change: readers rely on
/// it.
inline constexpr unsigned kSummedRows = 512;

/// A position has fine sums if a push has at least this many rows of it, and this many for each
/// sum. With fewer, postings are as quickly read. Readers do not rely on these numbers.
inline constexpr unsigned kFineRows = 2048;
inline constexpr unsigned kRowsOfFineSum = 16;

/// Returns whether write_position_sums() fills the table.
[[nodiscard]] constexpr bool is_of_sums(std::string_view table) {
    return table == kPositionSums || table == kFineSums;
}

/// Writes the sums of a push on one host. Calls `step` before each statement; its exceptions end
/// the work.
void write_position_sums(Connection& host, PushNumber push, bool is_cluster,
                         const std::function<void()>& step);

/// Returns SQL after FROM for rows like those of position_sum: for each push, key, next move and,
/// with `by_month`, month of the rows of fine_sum with the condition `rows`, the sums of those that
/// also have the condition `fits`. These sums may be 0.
[[nodiscard]] std::string sql_added_up(const std::string& table, const std::string& rows,
                                       const std::string& fits, bool by_month);

}  // namespace fendex::clickhouse
