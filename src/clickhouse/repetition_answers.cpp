#include "clickhouse/repetition_answers.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

using store::Engine;

constexpr char kIsDecided[] = "result IN (1, 2)";

/// Returns the facts of the games of some rows.
template <typename Row, typename GameOf>
void add_facts(ReadSession& session, std::vector<Row>& rows, GameOf game_of) {
    if (rows.empty()) return;
    RowWriter ids;
    GameId last = 0;
    for (const Row& row : rows) {
        if (std::exchange(last, game_of(row)) != game_of(row)) ids.u64(game_of(row));
    }
    std::unordered_map<GameId, codec::GameFacts> facts;
    session.connection().query(
        "SELECT id, result, variant, time_class, mode, white_elo, black_elo, date, plies FROM game"
        " WHERE " +
            session.snapshot().sql_pushes() + " AND id IN listed",
        {{"listed", "game UInt64", ids.bytes()}}, [&](RowReader& row) {
            codec::GameFacts& game = facts[row.u64()];
            game.result = static_cast<codec::Result>(row.u8());
            game.variant = static_cast<chess::Variant>(row.u8());
            game.time_class = static_cast<codec::TimeClass>(row.u8());
            game.mode = static_cast<codec::Mode>(row.u8());
            game.white_elo = row.u16();
            game.black_elo = row.u16();
            game.date = row.u32();
            game.plies = row.u32();
        });
    for (Row& row : rows) row.facts = facts[game_of(row)];
}

/// Reads rows in the order of games by read(limit): one more than wanted tells whether there are
/// others. The last game of a page may lack rows, so it is left for the next one.
template <typename Row, typename Read, typename GameOf>
std::vector<Row> whole_games(std::size_t most, Read read, GameOf game_of) {
    for (std::size_t limit = std::max<std::size_t>(most, 1);; limit *= 2) {
        std::vector<Row> rows = read(limit + 1);
        if (rows.size() <= limit) return rows;
        const GameId cut = game_of(rows.back());
        if (game_of(rows.front()) == cut) continue;
        while (game_of(rows.back()) == cut) rows.pop_back();
        return rows;
    }
}

/// The games from `from` on, and those that a question allows: a condition on rows of a table.
std::string sql_games(const Snapshot& snapshot, const FilterSql& filter,
                      const std::optional<GameId>& game, GameId from) {
    std::string out = snapshot.sql_pushes() + snapshot.sql_and_present();
    if (from > 1) out += " AND game >= " + std::to_string(from);
    if (game) out += " AND game = " + std::to_string(*game);
    return out + filter.and_game_fits("game");
}

/// Returns the games that repeated a position: those have a second row of its key.
std::string sql_games_that_returned(const Snapshot& snapshot, std::uint64_t key) {
    return " AND game GLOBAL IN (SELECT game FROM posting WHERE key = " + std::to_string(key) +
           " AND first_of_key = 0 AND " + snapshot.sql_pushes() +
           std::string(snapshot.sql_and_added()) + ")";
}

store::Repetition read_repetition(RowReader& row) {
    store::Repetition out;
    out.game = row.u64();
    out.key = row.u64();
    out.plies = row.u32s();
    if (out.plies.size() < 2) {
        throw store::StoreError(
            store::StoreError::kDamaged,
            "damaged database: the repetitions of game " + std::to_string(out.game));
    }
    return out;
}

/// The sums over all repetitions of the games that fit.
class SumsQuestion {
  public:
    SumsQuestion(ReadSession& session, const FilterSql& filter, std::uint32_t min_count,
                 std::size_t top)
        : session_(session), filter_(filter), top_(std::to_string(top)), has_top_(top != 0) {
        const Snapshot& snapshot = session.snapshot();
        rows_ = sql_games(snapshot, filter, std::nullopt, 1);
        often_ = rows_ + " AND count >= " + std::to_string(min_count);
    }

    Engine::RepetitionSums answer() {
        count_games();
        count_runs();
        if (!has_top_) return std::move(out_);
        list_positions();
        list_shuffles();
        return std::move(out_);
    }

  private:
    void count_games() {
        query("SELECT count(), sum(result = 3) FROM game WHERE " + filter_.games(),
              [&](RowReader& row) {
                  out_.games = row.u64();
                  out_.draws = row.u64();
              });
        const std::string draws = "SELECT id, plies FROM game WHERE " + filter_.games() +
                                  " AND result = 3 AND id GLOBAL IN (SELECT game FROM repetition"
                                  " WHERE count >= 3 AND " +
                                  session_.snapshot().sql_pushes() + ")";
        query(
            "SELECT uniqExact(game), uniqExactIf(game, count >= 3), uniqExactIf(game, count >= 5)"
            " FROM repetition WHERE " +
                rows_,
            [&](RowReader& row) {
                out_.twofold = row.u64();
                out_.threefold = row.u64();
                out_.fivefold = row.u64();
            });
        query("SELECT uniqExact(game) FROM repetition WHERE " + rows_ +
                  " AND count >= 3 AND (game, plies[length(plies)]) GLOBAL IN (" + draws + ")",
              [&](RowReader& row) { out_.draws_by_repetition = row.u64(); });
    }

    void count_runs() {
        query("SELECT uniqExact(game), uniqExactIf(game, has75 = 1) FROM quiet_run WHERE " + rows_,
              [&](RowReader& row) {
                  out_.fifty_moves = row.u64();
                  out_.seventy_five_moves = row.u64();
              });
    }

    void list_positions() {
        query(
            "SELECT key, count() AS games, min(game) AS first, argMin(plies[1], game) AS ply"
            " FROM repetition WHERE " +
                often_ + " GROUP BY key ORDER BY games DESC, first, ply LIMIT " + top_,
            [&](RowReader& row) {
                Engine::RepetitionSums::Position& position = out_.positions.emplace_back();
                position.key = row.u64();
                position.games = row.u64();
                position.game = row.u64();
                position.ply = row.u32();
            });
    }

    void list_shuffles() {
        std::map<GameId, store::Repetition> longest;
        query("SELECT game, key, plies FROM repetition WHERE " + often_ +
                  " AND game GLOBAL IN (SELECT game FROM repetition WHERE " + often_ +
                  " GROUP BY game ORDER BY max(plies[length(plies)] - plies[1]) DESC, game LIMIT " +
                  top_ + ")",
              [&](RowReader& row) {
                  store::Repetition each = read_repetition(row);
                  store::Repetition& known = longest[each.game];
                  if (known.plies.empty() || is_before(each, known)) known = std::move(each);
              });
        for (auto& [game, each] : longest) out_.shuffles.push_back(std::move(each));
        std::sort(out_.shuffles.begin(), out_.shuffles.end(), is_before);
    }

    /// The longest first, then by game and key.
    static bool is_before(const store::Repetition& a, const store::Repetition& b) {
        const auto order = [](const store::Repetition& each) {
            return std::tuple(UINT32_MAX - (each.plies.back() - each.plies.front()), each.game,
                              static_cast<std::int64_t>(each.key));
        };
        return order(a) < order(b);
    }

    template <typename Visit>
    void query(const std::string& sql, Visit visit) {
        session_.connection().query(sql, filter_.tables(), visit);
    }

    ReadSession& session_;
    const FilterSql& filter_;
    const std::string top_;
    const bool has_top_;
    std::string rows_;   // conditions on rows of repetition and of quiet_run
    std::string often_;  // on rows of repetition
    Engine::RepetitionSums out_;
};

}  // namespace

std::vector<Engine::RepetitionOfGame> list_repetitions(ReadSession& session, FilterSql filter,
                                                       const Engine::RepetitionQuestion& question,
                                                       GameId from, std::size_t most) {
    if (question.decided) filter.add_game_condition(kIsDecided);
    const Snapshot& snapshot = session.snapshot();
    std::string rows = sql_games(snapshot, filter, question.game, from) +
                       " AND count >= " + std::to_string(question.min_count);
    if (question.key) {
        rows += " AND key = " + std::to_string(*question.key) +
                sql_games_that_returned(snapshot, *question.key);
    }
    using Row = Engine::RepetitionOfGame;
    const auto game_of = [](const Row& row) { return row.repetition.game; };
    const auto read = [&](std::size_t limit) {
        std::vector<Row> out;
        session.connection().query("SELECT game, key, plies FROM repetition WHERE " + rows +
                                       " ORDER BY game, toInt64(key) LIMIT " +
                                       std::to_string(limit),
                                   filter.tables(), [&](RowReader& row) {
                                       out.push_back({read_repetition(row), {}});
                                   });
        return out;
    };
    std::vector<Row> out = whole_games<Row>(most, read, game_of);
    add_facts(session, out, game_of);
    return out;
}

std::vector<Engine::QuietRunOfGame> list_quiet_runs(ReadSession& session, FilterSql filter,
                                                    const Engine::QuietRunQuestion& question,
                                                    GameId from, std::size_t most) {
    if (question.decided) filter.add_game_condition(kIsDecided);
    const std::string rows = sql_games(session.snapshot(), filter, question.game, from) +
                             (question.seventy_five ? " AND has75 = 1" : "");
    using Row = Engine::QuietRunOfGame;
    const auto game_of = [](const Row& row) { return row.run.game; };
    const auto read = [&](std::size_t limit) {
        std::vector<Row> out;
        session.connection().query(
            "SELECT game, ply50, has75, ply75, longest FROM quiet_run WHERE " + rows +
                " ORDER BY game, ply50 LIMIT " + std::to_string(limit),
            filter.tables(), [&](RowReader& row) {
                store::QuietRun& run = out.emplace_back().run;
                run.game = row.u64();
                run.ply50 = row.u32();
                const bool has75 = row.u8() != 0;
                const std::uint32_t ply75 = row.u32();
                if (has75) run.ply75 = ply75;
                run.longest = row.u32();
            });
        return out;
    };
    std::vector<Row> out = whole_games<Row>(most, read, game_of);
    add_facts(session, out, game_of);
    return out;
}

Engine::RepetitionSums repetition_sums(ReadSession& session, const FilterSql& filter,
                                       std::uint32_t min_count, std::size_t top) {
    return SumsQuestion(session, filter, min_count, top).answer();
}

}  // namespace fendex::clickhouse
