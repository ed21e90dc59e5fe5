#include "clickhouse/repetition_rows.hpp"

#include <string>
#include <utility>

#include "clickhouse/sql_text.hpp"

namespace fendex::clickhouse {

store::Repetition read_repetition(AnswerRow& row) {
    store::Repetition out;
    out.game = row.game();
    out.key = row.any_u64();
    out.plies = row.plies();
    return out;
}

store::QuietRun read_quiet_run(AnswerRow& row) {
    store::QuietRun out;
    out.game = row.game();
    out.ply50 = row.ply("ply50");
    const bool has75 = row.flag("has75");
    const std::uint32_t ply75 = row.ply("ply75");
    if (has75) {
        if (ply75 < out.ply50) row.refuse("ply75", ply75);
        out.ply75 = ply75;
    }
    out.longest = row.any_u32();
    return out;
}

std::vector<store::Repetition> RepetitionRows::select_repetitions(const std::string& condition) {
    std::vector<store::Repetition> out =
        select<store::Repetition>("repetition", kRepetitionColumns, condition, read_repetition);
    std::ranges::sort(out, [](const auto& a, const auto& b) {
        return std::pair(a.game, static_cast<std::int64_t>(a.key)) <
               std::pair(b.game, static_cast<std::int64_t>(b.key));
    });
    return out;
}

std::vector<store::QuietRun> RepetitionRows::select_runs(const std::string& condition) {
    std::vector<store::QuietRun> out =
        select<store::QuietRun>("quiet_run", kQuietRunColumns, condition, read_quiet_run);
    std::ranges::sort(out, [](const auto& a, const auto& b) {
        return std::pair(a.game, a.ply50) < std::pair(b.game, b.ply50);
    });
    return out;
}

template <typename Value, typename Read>
std::vector<Value> RepetitionRows::select(const std::string& table, const char* columns,
                                          const std::string& condition, Read read) {
    const Snapshot& snapshot = session_->snapshot();
    std::vector<Value> out;
    read_rows(session_->connection(), table,
              std::string("SELECT ") + columns + " FROM " + table + " WHERE " +
                  snapshot.sql_pushes() + " AND " + condition + snapshot.sql_and_present(),
              [&](AnswerRow& row) { out.push_back(read(row)); });
    return out;
}

template <typename Value, typename Select>
std::vector<Value> RepetitionRows::of_game(GameId game, Kept<Value>& kept, Select select) {
    if (!std::ranges::binary_search(kept.games, game)) {
        kept = {};
        const std::vector<GameId> games = expected_->with(game);
        for (Value& each : select("game IN " + sql_list(games))) {
            kept.rows[each.game].push_back(std::move(each));
        }
        kept.games = games;
    }
    const auto found = kept.rows.find(game);
    return found == kept.rows.end() ? std::vector<Value>() : found->second;
}

std::vector<store::Repetition> RepetitionRows::repetitions(GameId game) {
    return of_game(game, repetitions_,
                   [&](const std::string& condition) { return select_repetitions(condition); });
}

std::vector<store::QuietRun> RepetitionRows::quiet_runs(GameId game) {
    return of_game(game, runs_,
                   [&](const std::string& condition) { return select_runs(condition); });
}

}  // namespace fendex::clickhouse
