#include "clickhouse/position_sums.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/joined.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/fact_conditions.hpp"
#include "clickhouse/key_ranges.hpp"
#include "codec/named_games.hpp"
#include "codec/rating_groups.hpp"

namespace fendex::clickhouse {

namespace {

/// About how many rows of posting one statement sums up. That bounds the memory of the server.
constexpr std::uint64_t kRowsAtOnce = 4'000'000;

// The best games are those with the highest numbers made of rank and game. The rank is in the upper
// bits. The lower bits are kMaxGame minus the game's number, so that of two games with equal ranks
// the lower one comes first.
const std::string kNumberMask = std::to_string(kMaxGame);

/// SQL of the number for a rank and the column or variable `game`.
std::string ranked(const std::string& rank) {
    return "bitOr(bitShiftLeft(toUInt64(" + rank + "), " + std::to_string(kGameBits) + "), " +
           kNumberMask + " - bitAnd(game, " + kNumberMask + "))";
}

/// SQL of the best of an array of numbers.
std::string best_of(const std::string& numbers) {
    return "arraySlice(arrayReverseSort(" + numbers + "), 1, " +
           std::to_string(codec::kNamedGames) + ")";
}

std::string best_games(const std::string& rank) {
    return best_of("groupArrayIf(" + ranked(rank) + ", first_of_move = 1)");
}

/// SQL of the best games of several lists, each with its ranks. `rank` is computed from the
/// variable `listed`, a rank in a list.
std::string best_of_lists(const std::string& ranks, const std::string& games,
                          const std::string& rank, const std::string& fits) {
    return best_of("groupArrayArrayIf(arrayMap((listed, game) -> " + ranked(rank) + ", " + ranks +
                   ", " + games + "), " + fits + ")");
}

/// SQL of a date in 23 bits, which fits above a game's number. The order of dates is kept.
std::string short_date(const std::string& date) {
    return "intDiv(" + date + ", 10000) * 512 + intDiv(" + date + ", 100) % 100 * 32 + " + date +
           " % 100";
}

/// `first_id`: the id of game 0 of the origin.
std::string games_of(const std::string& numbers, const std::string& first_id) {
    return "arrayMap(x -> toUInt64(" + first_id + " + " + kNumberMask + " - bitAnd(x, " +
           kNumberMask + ")), " + numbers + ")";
}

std::string ranks_of(const std::string& numbers) {
    return "arrayMap(x -> bitShiftRight(x, " + std::to_string(kGameBits) + "), " + numbers + ")";
}

/// Returns SQL that converts short dates back to yyyymmdd.
std::string dates_of(const std::string& numbers) {
    return "arrayMap(x -> toUInt64(intDiv(x, 512) * 10000 + intDiv(x, 32) % 16 * 100 + x % 32), " +
           ranks_of(numbers) + ")";
}

/// Returns SQL of a column of sums. It takes the lists of games from the columns `top` and
/// `recent`, as numbers of rank and game.
std::string column_of_sums(const std::string& column, const std::string& first_id) {
    if (column == "top_games") return games_of("top", first_id);
    if (column == "top_ranks") return ranks_of("top");
    if (column == "recent_games") return games_of("recent", first_id);
    if (column == "recent_ranks") return dates_of("recent");
    return column;
}

/// Returns the columns of a tally of the rows with this flag.
std::string tally(const std::string& flag, const std::string& prefix) {
    const auto count = [&](const std::string& condition, const std::string& name) {
        return ", countIf(" + flag + " = 1" + condition + ") AS " + prefix + name;
    };
    const auto sum = [&](const std::string& column) {
        return ", toUInt64(sumIf(" + column + ", " + flag + " = 1)) AS " + prefix + column + "_sum";
    };
    const auto date = [&](const std::string& function, const std::string& name) {
        return ", " + function + "If(date, " + flag + " = 1 AND date != 0) AS " + prefix + name;
    };
    return count("", "games") + count(" AND result = 0", "unknown_results") +
           count(" AND result = 1", "white_wins") + count(" AND result = 2", "black_wins") +
           count(" AND result = 3", "draws") + sum("white_elo") +
           count(" AND white_elo != 0", "white_elo_games") + sum("black_elo") +
           count(" AND black_elo != 0", "black_elo_games") + date("min", "first_date") +
           date("max", "last_date");
}

/// SQL of fine_sum.rating_group.
std::string rating_group() {
    std::string out =
        "toUInt16(multiIf(white_elo = 0 OR black_elo = 0, " + std::to_string(kUnknownRatingGroup);
    for (std::size_t i = codec::kRatingGroups.size(); i-- > 1;) {
        const std::uint32_t lowest = codec::kRatingGroups[i];
        out += ", toUInt32(white_elo) + black_elo >= " + std::to_string(2 * lowest) + ", " +
               std::to_string(lowest);
    }
    return out + ", " + std::to_string(codec::kRatingGroups[0]) + "))";
}

/// The rows of posting that one statement sums up.
struct SummedRows {
    PushNumber push = 0;
    bool is_cluster = false;
    KeyRange keys;

    [[nodiscard]] std::string table(std::string_view name) const {
        return local_name(name, is_cluster);
    }
    [[nodiscard]] std::string of_push() const {
        return "push = " + std::to_string(push) + " AND key >= " + std::to_string(keys.first) +
               " AND key <= " + std::to_string(keys.last);
    }
    [[nodiscard]] std::string from() const {
        return " FROM " + table("posting") + " WHERE " + of_push() + " AND sign = 1";
    }
};

/// Returns the statement that fills a table with sums of positions. `keys`: the query for their
/// keys. `apart`: columns that sums are apart by besides key and next, each with SQL for its value.
std::string fill(const char* table, const SummedRows& rows, const std::string& keys,
                 const std::vector<std::pair<std::string, std::string>>& apart) {
    const std::string number = std::to_string(rows.push);
    const std::string first_id = std::to_string(cluster_id(origin_of_push(rows.push), 0));
    const std::vector<Column>& columns = table_named(table).columns;
    // The inner query names the columns, in any order. The outer query puts them in the table's
    // order.
    const auto value = [&](const Column& column) {
        if (column.name == "push") return "toUInt32(" + number + ")";
        return column_of_sums(column.name, first_id);
    };
    std::string inner = "SELECT key, next";
    std::string by = "key, next";
    for (const auto& [name, sql] : apart) {
        inner += ", " + sql + " AS " + name;
        by += ", " + name;
    }
    inner += ", count() AS occurrences" + tally("first_of_move", "") +
             tally("first_of_key", "total_") + ", " +
             best_games("toUInt32(white_elo) + black_elo") + " AS top, " +
             best_games(short_date("date")) + " AS recent" + rows.from() + " AND key IN (" + keys +
             ") GROUP BY " + by;
    return "INSERT INTO " + rows.table(table) + " (" + base::joined(", ", columns, &Column::name) +
           ") SELECT " + base::joined(", ", columns, value) + " FROM (" + inner + ")";
}

std::string fill_position_sums(const SummedRows& rows) {
    return fill(kPositionSums, rows,
                "SELECT key" + rows.from() +
                    " GROUP BY key HAVING count() >= " + std::to_string(kSummedRows),
                {});
}

/// Which positions have many rows is read from their other sums.
std::string fill_fine_sums(const SummedRows& rows) {
    const std::vector<std::pair<std::string, std::string>> apart{{"month", "intDiv(date, 100)"},
                                                                 {"rating_group", rating_group()},
                                                                 {"time_class", "time_class"},
                                                                 {"variant", "variant"}};
    const std::string many =
        "SELECT key FROM " + rows.table(kPositionSums) + " WHERE " + rows.of_push() +
        " GROUP BY key HAVING sum(occurrences) >= " + std::to_string(kFineRows);
    const std::string values =
        base::joined(", ", apart, &std::pair<std::string, std::string>::second);
    return fill(kFineSums, rows,
                "SELECT key" + rows.from() + " AND key IN (" + many +
                    ") GROUP BY key HAVING uniqExact(next, " + values + ") * " +
                    std::to_string(kRowsOfFineSum) + " <= count()",
                apart);
}

}  // namespace

void write_position_sums(Connection& host, PushNumber push, bool is_cluster,
                         const std::function<void()>& step) {
    const std::string posting = local_name("posting", is_cluster);
    const std::uint64_t rows = read_count(
        host, posting, "SELECT count() FROM " + posting + " WHERE push = " + std::to_string(push));
    if (rows == 0) return;
    for (const KeyRange& keys : key_ranges(rows, kRowsAtOnce)) {
        const SummedRows summed{push, is_cluster, keys};
        step();
        host.run(fill_position_sums(summed));
        step();
        host.run(fill_fine_sums(summed));
    }
}

std::string sql_added_up(const std::string& table, const std::string& rows, const std::string& fits,
                         bool by_month) {
    // The id of game 0 of a push's origin.
    const std::string first_id = "bitShiftLeft(toUInt64(bitShiftRight(push, " +
                                 std::to_string(kPushBits) + ")), " + std::to_string(kGameBits) +
                                 ")";
    const std::string by = std::string("push, key, next") + (by_month ? ", month" : "");
    std::string inner = by;
    std::string outer = by;
    for (const Column& column : columns_from(table_named(kFineSums), "games")) {
        const std::string& name = column.name;
        const std::string value = column_of_sums(name, first_id);
        outer += ", " + value + " AS " + name;
        if (value != name) continue;  // made of top and recent
        if (name.ends_with("first_date")) {
            inner += ", minIf(" + name + ", " + fits + " AND " + name + " != 0) AS " + name;
        } else {
            inner += std::string(", ") + (name.ends_with("last_date") ? "maxIf(" : "sumIf(") +
                     name + ", " + fits + ") AS " + name;
        }
    }
    inner += ", " + best_of_lists("top_ranks", "top_games", "listed", fits) + " AS top, " +
             best_of_lists("recent_ranks", "recent_games", short_date("listed"), fits) +
             " AS recent";
    return "(SELECT " + outer + " FROM (SELECT " + inner + " FROM " + table + " WHERE " + rows +
           " GROUP BY " + by + "))";
}

}  // namespace fendex::clickhouse
