// Repeated positions, and runs without capture and pawn move: lists, page by page, and sums.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/engine.hpp"
#include "clickhouse/repetition_rows.hpp"

namespace fendex::clickhouse {

namespace {

using store::Engine;

constexpr char kIsDecided[] = "result IN (1, 2)";

/// Sets the facts of rows, which are those of their games.
template <typename Row, typename GameOf>
void add_facts(ReadSession& session, std::vector<Row>& rows, GameOf game_of) {
    if (rows.empty()) return;
    RowWriter ids;
    GameId last = 0;
    for (const Row& row : rows) {
        if (std::exchange(last, game_of(row)) != game_of(row)) ids.u64(game_of(row));
    }
    std::unordered_map<GameId, codec::GameFacts> facts;
    read_rows(session.connection(), "game",
              std::string("SELECT ") + kFactColumns + " FROM game WHERE " +
                  session.snapshot().sql_pushes() + " AND id IN listed",
              {{"listed", "game UInt64", ids.bytes()}}, [&](AnswerRow& row) {
                  codec::GameFacts game;
                  const GameId id = row.facts(game);
                  facts[id] = game;
              });
    for (Row& row : rows) {
        const auto found = facts.find(game_of(row));
        if (found == facts.end()) {
            throw damaged(session.connection(),
                          "table game lacks game " + std::to_string(game_of(row)));
        }
        row.facts = found->second;
    }
}

/// Returns the condition on rows of a table that the game is at least `from`, is the given one, if
/// any, and fits the filter.
std::string sql_games(const Snapshot& snapshot, const FilterSql& filter,
                      const std::optional<GameId>& game, GameId from) {
    std::string out = snapshot.sql_pushes() + snapshot.sql_and_present();
    if (from > 1) out += " AND game >= " + std::to_string(from);
    if (game) out += " AND game = " + std::to_string(*game);
    return out + filter.and_game_fits("game");
}

/// Returns the condition that a game repeated a position. Such games have a second row of its key.
std::string sql_games_that_returned(const Snapshot& snapshot, std::uint64_t key) {
    return " AND game GLOBAL IN (SELECT game FROM posting WHERE key = " + std::to_string(key) +
           " AND first_of_key = 0 AND " + snapshot.sql_pushes() +
           std::string(snapshot.sql_and_added()) + ")";
}

/// Returns the next rows that meet a condition, only of complete games. One row more than wanted is
/// read, to see whether there are more. If so, the last game may lack rows, so it is left for the
/// next call.
template <typename Row, typename Value>
std::vector<Row> whole_games(ReadSession& session, const FilterSql& filter,
                             const RowType<Value>& type, Value Row::*value,
                             const std::string& condition, GameId from, std::size_t most) {
    const auto game_of = [&](const Row& row) { return (row.*value).game; };
    for (std::size_t limit = std::max<std::size_t>(most, 1);; limit *= 2) {
        std::vector<Row> rows;
        GameId last = from;
        read_rows(session.connection(), type.table,
                  type.select(condition) + " LIMIT " + std::to_string(limit + 1), filter.tables(),
                  [&](AnswerRow& row) {
                      rows.push_back({type.read(row), {}});
                      const GameId game = game_of(rows.back());
                      if (game < std::exchange(last, game)) row.refuse_row("game", game);
                  });
        if (rows.size() > limit) {
            const GameId cut = game_of(rows.back());
            if (game_of(rows.front()) == cut) continue;
            while (game_of(rows.back()) == cut) rows.pop_back();
        }
        add_facts(session, rows, game_of);
        return rows;
    }
}

/// Adds up all repetitions of the games that fit.
class SumsQuestion {
  public:
    SumsQuestion(ReadSession& session, const FilterSql& filter, std::uint32_t min_count,
                 const Engine::RepetitionLists& most)
        : session_(session), filter_(filter), most_(most) {
        const Snapshot& snapshot = session.snapshot();
        rows_ = sql_games(snapshot, filter, std::nullopt, 1);
        often_ = rows_ + " AND count >= " + std::to_string(min_count);
    }

    Engine::RepetitionSums answer() {
        count_games();
        count_runs();
        if (most_.positions != 0) list_positions();
        if (most_.shuffles != 0) list_shuffles();
        return std::move(out_);
    }

  private:
    void count_games() {
        query("game", "SELECT count(), sum(result = 3) FROM game WHERE " + filter_.games(),
              [&](AnswerRow& row) {
                  out_.games = row.count("count()");
                  out_.draws = row.count("draws");
              });
        const std::string draws = "SELECT id, plies FROM game WHERE " + filter_.games() +
                                  " AND result = 3 AND id GLOBAL IN (SELECT game FROM repetition"
                                  " WHERE count >= 3 AND " +
                                  session_.snapshot().sql_pushes() + ")";
        query("repetition",
              "SELECT uniqExact(game), uniqExactIf(game, count >= 3), uniqExactIf(game, count >= 5)"
              " FROM repetition WHERE " +
                  rows_,
              [&](AnswerRow& row) {
                  out_.twofold = row.count("games");
                  out_.threefold = row.count("games");
                  out_.fivefold = row.count("games");
              });
        query("repetition",
              "SELECT uniqExact(game) FROM repetition WHERE " + rows_ +
                  " AND count >= 3 AND (game, plies[length(plies)]) GLOBAL IN (" + draws + ")",
              [&](AnswerRow& row) { out_.draws_by_repetition = row.count("games"); });
    }

    void count_runs() {
        query("quiet_run",
              "SELECT uniqExact(game), uniqExactIf(game, has75 = 1) FROM quiet_run WHERE " + rows_,
              [&](AnswerRow& row) {
                  out_.fifty_moves = row.count("games");
                  out_.seventy_five_moves = row.count("games");
              });
    }

    void list_positions() {
        query("repetition",
              "SELECT key, count() AS games, min(game) AS first, argMin(plies[1], game) AS ply"
              " FROM repetition WHERE " +
                  often_ + " GROUP BY key ORDER BY games DESC, first, ply LIMIT " +
                  std::to_string(most_.positions),
              [&](AnswerRow& row) {
                  Engine::RepetitionSums::Position& position = out_.positions.emplace_back();
                  position.key = row.any_u64();
                  position.games = row.count("games");
                  position.game = row.game();
                  position.ply = row.ply();
              });
    }

    void list_shuffles() {
        std::map<GameId, store::Repetition> longest;
        query("repetition",
              std::string("SELECT ") + kRepetitions.columns + " FROM repetition WHERE " + often_ +
                  " AND game GLOBAL IN (SELECT game FROM repetition WHERE " + often_ +
                  " GROUP BY game ORDER BY max(plies[length(plies)] - plies[1]) DESC, game LIMIT " +
                  std::to_string(most_.shuffles) + ")",
              [&](AnswerRow& row) {
                  store::Repetition each = read_repetition(row);
                  store::Repetition& known = longest[each.game];
                  if (known.plies.empty() || is_before(each, known)) known = std::move(each);
              });
        for (auto& [game, each] : longest) out_.shuffles.push_back(std::move(each));
        std::ranges::sort(out_.shuffles, is_before);
    }

    /// Returns whether a repetition comes before another: the longest first, then by game and key.
    static bool is_before(const store::Repetition& a, const store::Repetition& b) {
        const auto order = [](const store::Repetition& each) {
            return std::tuple(UINT32_MAX - (each.plies.back() - each.plies.front()), each.game,
                              static_cast<std::int64_t>(each.key));
        };
        return order(a) < order(b);
    }

    template <typename Visit>
    void query(const std::string& table, const std::string& sql, Visit visit) {
        read_rows(session_.connection(), table, sql, filter_.tables(), visit);
    }

    ReadSession& session_;
    const FilterSql& filter_;
    const Engine::RepetitionLists most_;
    std::string rows_;   // condition on rows of repetition and of quiet_run
    std::string often_;  // on rows of repetition
    Engine::RepetitionSums out_;
};

}  // namespace

std::vector<Engine::RepetitionOfGame> ClusterEngine::repetitions(const RepetitionQuestion& question,
                                                                 GameId from, std::size_t most,
                                                                 std::stop_token stop) {
    Asked asked = ask(question.filter, std::move(stop));
    if (question.decided) asked.filter.add_game_condition(kIsDecided);
    const Snapshot& snapshot = session_.snapshot();
    std::string rows = sql_games(snapshot, asked.filter, question.game, from) +
                       " AND count >= " + std::to_string(question.min_count);
    if (question.key) {
        rows += " AND key = " + std::to_string(*question.key) +
                sql_games_that_returned(snapshot, *question.key);
    }
    return whole_games(session_, asked.filter, kRepetitions, &RepetitionOfGame::repetition, rows,
                       from, most);
}

std::vector<Engine::QuietRunOfGame> ClusterEngine::quiet_runs(const QuietRunQuestion& question,
                                                              GameId from, std::size_t most,
                                                              std::stop_token stop) {
    Asked asked = ask(question.filter, std::move(stop));
    if (question.decided) asked.filter.add_game_condition(kIsDecided);
    const std::string rows = sql_games(session_.snapshot(), asked.filter, question.game, from) +
                             (question.seventy_five ? " AND has75 = 1" : "");
    return whole_games(session_, asked.filter, kQuietRuns, &QuietRunOfGame::run, rows, from, most);
}

Engine::RepetitionSums ClusterEngine::repetition_sums(const GameFilter& filter,
                                                      std::uint32_t min_count,
                                                      const RepetitionLists& most,
                                                      std::stop_token stop) {
    const Asked asked = ask(filter, std::move(stop));
    return SumsQuestion(session_, asked.filter, min_count, most).answer();
}

}  // namespace fendex::clickhouse
