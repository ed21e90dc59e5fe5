#include "clickhouse/joining.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string>
#include <utility>

#include "base/joined.hpp"
#include "clickhouse/key_ranges.hpp"
#include "clickhouse/position_sums.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/snapshot.hpp"
#include "clickhouse/sql_text.hpp"
#include "clickhouse/stored_rows.hpp"

namespace fendex::clickhouse {

namespace {

/// About how many rows of posting one statement copies: a few seconds of a server.
constexpr std::uint64_t kCopiedAtOnce = 4'000'000;
constexpr std::uint64_t kGamesAtOnce = 200'000;

/// The most pushes of each level that are not joined. To copy a few rows takes no longer than to
/// push a few games, so small pushes are joined soon. Large ones wait for others of their size:
/// then each row is copied once on its way to the next level.
constexpr std::array<std::size_t, kTopLevel + 1> kMostOfLevel{3, 1, 1, 7, 7};
/// More rows are not joined into one push.
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 32;

std::uint64_t rows_of(const PushRecord& push) {
    return std::accumulate(push.stored_rows.begin(), push.stored_rows.end(), std::uint64_t{0});
}

unsigned level_of(std::uint64_t rows) {
    return (static_cast<unsigned>(std::bit_width(rows / kRowsOfLevel0)) + 2) / 3;
}

/// Returns the newest push that has the sources, errors and joined names; 0 if none has.
PushNumber newest_with_sources(const OriginPushes& pushes) {
    PushNumber newest = 0;
    for (const PushRecord& push : pushes.complete) {
        if (push.has_sources) newest = push.number;
    }
    return newest;
}

/// Returns whether the newest push with sources has all rows of this table that count.
bool is_list_of_sources(const std::string& table) {
    return table == "source" || table == "import_error" || table == "joined_name";
}

/// Copies the rows of a table for which the condition is true.
void copy(Connection& host, const Table& table, PushNumber to, const std::string& condition,
          bool is_cluster) {
    const std::string name = local_name(table.name, is_cluster);
    const auto value = [&](const Column& column) {
        return column.name == "push" ? "toUInt32(" + std::to_string(to) + ")" : column.name;
    };
    host.run("INSERT INTO " + name + " (" + base::joined(", ", table.columns, &Column::name) +
                 ") SELECT " + base::joined(", ", table.columns, value) + " FROM " + name +
                 " WHERE " + condition,
             {}, settings_for_types(host));
}

}  // namespace

std::vector<PushRecord> pushes_to_join(std::span<const PushRecord> complete) {
    std::vector<PushRecord> pushes(complete.begin(), complete.end());
    std::ranges::sort(pushes, {}, [](const PushRecord& push) {
        return std::pair(push.games.first, push.number);
    });
    std::size_t begin = pushes.size();  // those from here on are joined
    std::uint64_t rows = 0;             // of these
    for (unsigned level = 0; level <= kTopLevel; ++level) {
        if (level_of(rows) > level) continue;
        std::size_t first = begin;
        std::uint64_t all = rows;
        std::size_t of_level = begin < pushes.size() && level_of(rows) == level ? 1 : 0;
        while (first > 0) {
            const PushRecord& before = pushes[first - 1];
            const std::uint64_t its_rows = rows_of(before);
            const bool fits = level_of(its_rows) <= level && all + its_rows <= kMostRows &&
                              before.sharding == pushes.back().sharding;
            if (!fits) break;
            if (level_of(its_rows) == level) ++of_level;
            all += its_rows;
            --first;
        }
        if (of_level <= kMostOfLevel[level]) continue;
        begin = first;
        rows = all;
    }
    return {pushes.begin() + static_cast<std::ptrdiff_t>(begin), pushes.end()};
}

PushRecord joined_push(PushNumber number, std::span<const PushRecord> members,
                       const OriginPushes& pushes) {
    const PushNumber newest = newest_with_sources(pushes);
    PushRecord out;
    out.number = number;
    out.games = members.front().games;
    out.sharding = members.front().sharding;
    out.stored_rows.resize(counted_tables().size());
    for (const PushRecord& push : members) {
        out.replaces.push_back(push.number);
        if (push.games.first <= push.games.last) {
            const bool is_first = out.games.first > out.games.last;
            out.games.first = is_first ? push.games.first : out.games.first;
            out.games.last = push.games.last;
        }
        out.taken_back += push.taken_back;
        out.counters.add(push.counters);
        out.variations = out.variations || push.variations;
        for (std::size_t i = 0; i < kNameKinds; ++i) {
            out.last_names[i] = std::max(out.last_names[i], push.last_names[i]);
        }
        const bool is_newest = push.number == newest;
        if (is_newest) {
            out.has_sources = true;
            out.sources_mark = push.sources_mark;
        }
        for (std::size_t i = 0; i < out.stored_rows.size(); ++i) {
            const std::string& table = counted_tables()[i];
            if (is_of_sums(table)) continue;
            if (is_newest || !is_list_of_sources(table)) out.stored_rows[i] += push.stored_rows[i];
        }
    }
    std::ranges::sort(out.replaces);
    return out;
}

void copy_rows(Connection& host, const PushRecord& joined, const OriginPushes& pushes,
               bool is_cluster, const std::function<void()>& step) {
    const std::string of_members = sql_pushes(joined.replaces);
    for (const Table& table : tables()) {
        if (!table.is_of_pushes()) continue;
        const std::uint64_t rows = joined.stored_rows[counted_table(table.name)];
        if (rows == 0) continue;
        const auto copy_those = [&](const std::string& condition) {
            step();
            copy(host, table, joined.number, condition, is_cluster);
        };
        if (table.name == "posting") {
            for (const KeyRange& keys : key_ranges(rows, kCopiedAtOnce)) {
                copy_those(of_members + " AND key >= " + std::to_string(keys.first) +
                           " AND key <= " + std::to_string(keys.last));
            }
        } else if (table.name == "game") {
            const Origin origin = origin_of_push(joined.number);
            for (store::GameRange rest = joined.games;
                 const auto games = store::take_front(rest, kGamesAtOnce);) {
                copy_those(of_members + " AND id " +
                           sql_between({cluster_id(origin, games->first),
                                        cluster_id(origin, games->last)}));
            }
        } else if (is_list_of_sources(table.name)) {
            copy_those("push = " + std::to_string(newest_with_sources(pushes)));
        } else {
            copy_those(of_members);
        }
    }
}

}  // namespace fendex::clickhouse
