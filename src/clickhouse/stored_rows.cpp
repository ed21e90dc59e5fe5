#include "clickhouse/stored_rows.hpp"

#include <algorithm>
#include <string>

#include "base/joined.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/sql_text.hpp"

namespace fendex::clickhouse {

const std::vector<std::string>& counted_tables() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> out;
        for (const Table& table : tables()) {
            if (table.is_of_pushes()) out.push_back(table.name);
        }
        return out;
    }();
    return all;
}

std::size_t counted_table(std::string_view name) {
    const std::vector<std::string>& all = counted_tables();
    return static_cast<std::size_t>(std::ranges::find(all, name) - all.begin());
}

std::string sql_stored_rows(Connection& connection, const Layout& layout) {
    const std::vector<std::string>& tables = counted_tables();
    if (connection.is_new() || layout.is_replicated) {
        std::string sql;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            if (!layout.has(tables[i])) continue;
            sql += (i == 0 ? "SELECT toUInt8(" : " UNION ALL SELECT toUInt8(") +
                   std::to_string(i + 1) + ") AS list, push, count() AS stored_rows FROM " +
                   tables[i] + " GROUP BY push";
        }
        return sql;
    }
    const std::string parts = !layout.is_cluster()
                                  ? "system.parts"
                                  : "cluster(" + quoted_name(layout.cluster) + ", system, parts)";
    const std::string names = base::joined(", ", tables, [&](const std::string& table) {
        return sql_text(local_name(table, layout.is_cluster()));
    });
    return "SELECT toUInt8(indexOf([" + names +
           "], table)) AS list, toUInt32OrZero(partition) AS push, sum(rows) AS stored_rows FROM " +
           parts + " WHERE active = 1 AND database = " + sql_text(connection.url().database) +
           " AND table IN (" + names + ") GROUP BY table, partition";
}

void put_rows(StoredRowsOfPushes& rows, PushNumber push, std::size_t table, std::uint64_t count) {
    StoredRows& of_push = rows[push];
    of_push.resize(counted_tables().size());
    of_push[table] = count;
}

StoredRowsOfPushes read_stored_rows(Connection& connection, const Layout& layout) {
    StoredRowsOfPushes out;
    const auto tables = static_cast<std::uint8_t>(counted_tables().size());
    read_rows(connection, "push", sql_stored_rows(connection, layout), [&](AnswerRow& row) {
        const std::uint8_t list = row.u8("list", tables);
        if (list == 0) row.refuse("list", list);
        const PushNumber push = row.any_u32();
        put_rows(out, push, list - 1U, row.count("count()"));
    });
    return out;
}

StoredRows rows_of_push(const StoredRowsOfPushes& rows, PushNumber push) {
    const auto found = rows.find(push);
    return found == rows.end() ? StoredRows(counted_tables().size()) : found->second;
}

StoredRows read_recorded_rows(AnswerRow& row, bool is_complete) {
    StoredRows rows = row.any_u64s();
    if (!is_complete) return rows;
    const std::size_t all = counted_tables().size();
    if (rows.size() > all) row.refuse("stored_rows");
    while (rows.size() < all) {
        if (!table_named(counted_tables()[rows.size()]).is_added()) row.refuse("stored_rows");
        rows.push_back(0);
    }
    return rows;
}

std::string wrong_rows(const Layout& layout, PushNumber push, const StoredRows& recorded,
                       const StoredRows& stored) {
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const std::string& table = counted_tables()[i];
        if (recorded[i] == stored[i] || !layout.has(table)) continue;
        return "table " + table + " has " + std::to_string(stored[i]) + " rows of push " +
               std::to_string(push & kMaxPushes) + " of origin " +
               std::to_string(origin_of_push(push)) + " instead of " + std::to_string(recorded[i]);
    }
    return {};
}

void throw_wrong_rows(const Connection& connection, const std::string& what) {
    throw damaged(connection, what + ": rows were lost or added since they were pushed");
}

}  // namespace fendex::clickhouse
