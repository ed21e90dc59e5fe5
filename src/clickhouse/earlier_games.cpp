// Games that were played before another one, and reached a position. The servers add up.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/engine.hpp"
#include "clickhouse/posting_sql.hpp"
#include "clickhouse/sql_text.hpp"
#include "clickhouse/tally_sql.hpp"
#include "codec/posting.hpp"

namespace fendex::clickhouse {

namespace {

using store::Engine;

/// Returns where the keys begin that are looked up next, from the end of a game on: its second
/// half, then the second half of the rest. Few games have the late positions, so their rows are
/// read together; the early ones, which many games have, are read only if no later one is known.
std::size_t next_begin(std::size_t end) {
    constexpr std::size_t kFewKeys = 8;
    return end <= kFewKeys ? 0 : end / 2;
}

/// Returns codec::is_certainly_before() as SQL for rows of posting: "" or " AND ...". A date is
/// yyyymmdd, and its unknown parts are 0.
std::string sql_before(codec::Date before) {
    if (before.year() == 0) return {};
    const codec::Date day = before.first_day();
    return " AND date >= 10000 AND date < " + std::to_string(day.number()) + " AND date NOT IN (" +
           std::to_string(day.year() * 10000) + "," + std::to_string(day.month_number() * 100) +
           ")";
}

/// The condition on rows of posting that the game counts, and the tables that queries need for it.
struct EarlierSql {
    EarlierSql(const FilterSql& filter_sql, const Engine::Earlier& earlier)
        : filter(filter_sql), tables(filter_sql.tables()), counts(sql_before(earlier.before)) {
        if (earlier.except.empty()) return;
        RowWriter rows;
        for (const GameId game : earlier.except) rows.u64(game);
        tables.push_back({"excepted", "game UInt64", rows.bytes()});
        counts += " AND game NOT IN excepted";
    }

    /// Returns the condition on rows with these keys.
    [[nodiscard]] std::string rows(const Snapshot& snapshot,
                                   std::span<const std::uint64_t> keys) const {
        return sql_rows(snapshot, filter, keys, " AND first_of_key = 1" + counts) + counts;
    }

    const FilterSql& filter;
    std::vector<ExternalTable> tables;
    std::string counts;
};

}  // namespace

std::optional<std::size_t> ClusterEngine::last_reached(std::span<const std::uint64_t> keys,
                                                       const Earlier& earlier,
                                                       std::stop_token stop) {
    const Asked asked = ask(earlier.filter, std::move(stop));
    const EarlierSql sql(asked.filter, earlier);
    for (std::size_t end = keys.size(); end != 0;) {
        const std::size_t begin = next_begin(end);
        const std::span<const std::uint64_t> some = keys.subspan(begin, end - begin);
        std::optional<std::size_t> last;
        const PlaceOfKeys place = session_.place_of(some);
        read_rows(place.connection, "posting",
                  "SELECT DISTINCT key FROM " + place.table("posting") + " WHERE " +
                      sql.rows(session_.snapshot(), some) + " AND first_of_key = 1",
                  sql.tables, [&](AnswerRow& row) {
                      const std::uint64_t key = row.any_u64();
                      const auto found = std::find(some.rbegin(), some.rend(), key);
                      if (found == some.rend()) row.refuse_row("key", key);
                      const auto index = begin + static_cast<std::size_t>(some.rend() - found) - 1;
                      last = std::max(last.value_or(0), index);
                  });
        if (last) return last;
        end = begin;
    }
    return std::nullopt;
}

Engine::Tree ClusterEngine::earlier_tree(std::uint64_t key, const Earlier& earlier,
                                         std::stop_token stop) {
    const Asked asked = ask(earlier.filter, std::move(stop));
    const EarlierSql sql(asked.filter, earlier);
    const PlaceOfKeys place = session_.place_of({&key, 1});
    const std::string from =
        " FROM " + place.table("posting") + " WHERE " + sql.rows(session_.snapshot(), {&key, 1});
    Tree tree;
    read_rows(place.connection, "posting",
              "SELECT next, count(), " + tally_columns("first_of_move") + ", " +
                  tally_columns("first_of_key") + from + " GROUP BY next ORDER BY next",
              sql.tables, [&](AnswerRow& row) {
                  PlayedMove& move = tree.moves.emplace_back();
                  move.next = row.next();
                  const std::uint64_t occurrences = row.count("count()");
                  move.tally = read_tally(row, occurrences);
                  tree.total.add(read_tally(row, occurrences));
                  move.tally.occurrences = 0;
              });
    tree.total.occurrences = 0;
    if (tree.total.games == 0) return tree;
    read_rows(place.connection, "posting",
              "SELECT min(game), argMin(next, game)" + from + " AND first_of_key = 1 AND date = " +
                  std::to_string(tree.total.last_date.number()),
              sql.tables, [&](AnswerRow& row) {
                  NamedGame& latest = tree.recent.emplace_back();
                  latest.game = row.game();
                  latest.move = row.next();
                  latest.rank = tree.total.last_date.number();
              });
    return tree;
}

std::vector<GameId> ClusterEngine::earlier_ends(std::uint64_t key, std::uint32_t plies,
                                                const Earlier& earlier, std::stop_token stop) {
    const Asked asked = ask(earlier.filter, std::move(stop));
    EarlierSql sql(asked.filter, earlier);
    const std::string ends = " AND next = " + std::to_string(codec::kGameEndsHere.bits()) +
                             " AND ply = " + std::to_string(plies);
    sql.counts += ends;
    const PlaceOfKeys place = session_.place_of({&key, 1});
    std::vector<GameId> out;
    read_rows(place.connection, "posting",
              "SELECT DISTINCT game FROM " + place.table("posting") + " WHERE " +
                  sql_rows(session_.snapshot(), asked.filter, {&key, 1}, sql.counts) + sql.counts,
              sql.tables, [&](AnswerRow& row) { out.push_back(row.game()); });
    std::ranges::sort(out);
    return out;
}

}  // namespace fendex::clickhouse
