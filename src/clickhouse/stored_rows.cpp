#include "clickhouse/stored_rows.hpp"

#include <optional>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/sql_literal.hpp"

namespace fendex::clickhouse {

namespace {

/// The rows that a push must have; empty: any number.
std::optional<std::uint64_t> expected_rows(std::string_view table, const PushCounters& counters,
                                           std::uint64_t taken_back) {
    if (table == "taken_back") return taken_back;
    // A game that was taken back is counted as one less, but the push has no row of it.
    if (table == "game") return static_cast<std::uint64_t>(counters.games) + taken_back;
    // The rows that take back are counted as less, too, but are there.
    if (taken_back != 0) return std::nullopt;
    return static_cast<std::uint64_t>(counters.positions);
}

/// Whether so many rows can be some of sign 1 and some of sign -1 whose sum is `positions`.
bool can_sum_up(std::uint64_t rows, std::int64_t positions) {
    const auto of_one_sign = static_cast<std::uint64_t>(positions < 0 ? -positions : positions);
    return rows >= of_one_sign && (rows - of_one_sign) % 2 == 0;
}

}  // namespace

std::string sql_stored_rows(Connection& connection, std::string_view cluster,
                            std::string_view table) {
    if (connection.is_new()) {
        return "SELECT push, count() AS stored_rows FROM " + std::string(table) + " GROUP BY push";
    }
    const std::string parts =
        cluster.empty() ? "system.parts" : "cluster(" + quoted_name(cluster) + ", system, parts)";
    return "SELECT toUInt32OrZero(partition) AS push, sum(rows) AS stored_rows FROM " + parts +
           " WHERE active = 1 AND database = " + sql_text(connection.url().database) +
           " AND table = " + sql_text(local_name(table, !cluster.empty())) + " GROUP BY partition";
}

StoredRowsOfPushes read_stored_rows(Connection& connection, std::string_view cluster) {
    StoredRowsOfPushes out;
    for (std::size_t i = 0; i < kCountedTables.size(); ++i) {
        read_rows(connection, kCountedTables[i],
                  sql_stored_rows(connection, cluster, kCountedTables[i]), [&](AnswerRow& row) {
                      const PushNumber push = row.any_u32();
                      out[push][i] = row.count("count()");
                  });
    }
    return out;
}

std::string wrong_rows(PushNumber push, const PushCounters& counters, std::uint64_t taken_back,
                       const StoredRowsOfPushes& rows) {
    const auto found = rows.find(push);
    const StoredRows of_push = found == rows.end() ? StoredRows{} : found->second;
    for (std::size_t i = 0; i < kCountedTables.size(); ++i) {
        const std::string_view table = kCountedTables[i];
        const auto expected = expected_rows(table, counters, taken_back);
        if (expected ? of_push[i] == *expected : can_sum_up(of_push[i], counters.positions)) {
            continue;
        }
        return "table " + std::string(table) + " has " + std::to_string(of_push[i]) +
               " rows of push " + std::to_string(push & kMaxPushes) + " of origin " +
               std::to_string(origin_of_push(push)) +
               (expected ? " instead of " + std::to_string(*expected)
                         : ", which cannot add up to " + std::to_string(counters.positions));
    }
    return {};
}

void throw_wrong_rows(const Connection& connection, const std::string& what) {
    throw damaged(connection, what + ": rows were lost or added since they were pushed");
}

}  // namespace fendex::clickhouse
