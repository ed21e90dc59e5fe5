#include "clickhouse/position_sums.hpp"

#include <string>

#include "base/joined.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/key_ranges.hpp"
#include "clickhouse/schema.hpp"
#include "codec/named_games.hpp"

namespace fendex::clickhouse {

namespace {

/// About how many rows of posting one statement sums up. That bounds the memory of the server.
constexpr std::uint64_t kRowsAtOnce = 4'000'000;

// The best games are those with the highest numbers made of rank and game. The rank is in the upper
// bits. The lower bits are kMaxGame minus the game's number, so that of two games with equal ranks
// the lower one comes first.
const std::string kNumberMask = std::to_string(kMaxGame);

std::string ranked(const std::string& rank) {
    return "bitOr(bitShiftLeft(toUInt64(" + rank + "), " + std::to_string(kGameBits) + "), " +
           kNumberMask + " - bitAnd(game, " + kNumberMask + "))";
}

std::string best_of(const std::string& rank) {
    return "arraySlice(arrayReverseSort(groupArrayIf(" + ranked(rank) +
           ", first_of_move = 1)), 1, " + std::to_string(codec::kNamedGames) + ")";
}

/// SQL of a date in 23 bits, which fits above a game's number. The order of dates is kept.
const std::string kShortDate =
    "intDiv(date, 10000) * 512 + intDiv(date, 100) % 100 * 32 + date % 100";

std::string games_of(const std::string& ranked_games, Origin origin) {
    return "arrayMap(x -> toUInt64(" + std::to_string(cluster_id(origin, 0)) + " + " + kNumberMask +
           " - bitAnd(x, " + kNumberMask + ")), " + ranked_games + ")";
}

std::string ranks_of(const std::string& ranked_games) {
    return "arrayMap(x -> bitShiftRight(x, " + std::to_string(kGameBits) + "), " + ranked_games +
           ")";
}

/// Returns SQL that converts short dates back to yyyymmdd.
std::string dates_of(const std::string& ranked_games) {
    return "arrayMap(x -> toUInt64(intDiv(x, 512) * 10000 + intDiv(x, 32) % 16 * 100 + x % 32), " +
           ranks_of(ranked_games) + ")";
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

std::string sums_of_range(PushNumber push, bool is_cluster, const KeyRange& keys) {
    const std::string posting = local_name("posting", is_cluster);
    const std::string number = std::to_string(push);
    const std::string rows = " FROM " + posting + " WHERE push = " + number +
                             " AND key >= " + std::to_string(keys.first) +
                             " AND key <= " + std::to_string(keys.last) + " AND sign = 1";
    const Origin origin = origin_of_push(push);
    const std::vector<Column>& columns = table_named("position_sum").columns;
    // The inner query names the columns, in any order. The outer query puts them in the table's
    // order.
    const auto value = [&](const Column& column) {
        if (column.name == "push") return "toUInt32(" + number + ")";
        if (column.name == "top_games") return games_of("top", origin);
        if (column.name == "top_ranks") return ranks_of("top");
        if (column.name == "recent_games") return games_of("recent", origin);
        if (column.name == "recent_ranks") return dates_of("recent");
        return column.name;
    };

    return "INSERT INTO " + local_name("position_sum", is_cluster) + " (" +
           base::joined(", ", columns, &Column::name) + ") SELECT " +
           base::joined(", ", columns, value) + " FROM (SELECT key, next, count() AS occurrences" +
           tally("first_of_move", "") + tally("first_of_key", "total_") + ", " +
           best_of("toUInt32(white_elo) + black_elo") + " AS top, " + best_of(kShortDate) +
           " AS recent" + rows + " AND key IN (SELECT key" + rows +
           " GROUP BY key HAVING count() >= " + std::to_string(kSummedRows) +
           ") GROUP BY key, next)";
}

}  // namespace

void write_position_sums(Connection& host, PushNumber push, bool is_cluster,
                         const std::function<void()>& step) {
    const std::string posting = local_name("posting", is_cluster);
    const std::uint64_t rows = read_count(
        host, posting, "SELECT count() FROM " + posting + " WHERE push = " + std::to_string(push));
    if (rows == 0) return;
    for (const KeyRange& keys : key_ranges(rows, kRowsAtOnce)) {
        step();
        host.run(sums_of_range(push, is_cluster, keys));
    }
}

}  // namespace fendex::clickhouse
