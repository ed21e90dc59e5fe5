// Rows of tables repetition and quiet_run, and a reader of those of one game.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/expected_games.hpp"
#include "clickhouse/snapshot.hpp"
#include "clickhouse/sql_text.hpp"
#include "store/records.hpp"

namespace fendex::clickhouse {

[[nodiscard]] store::Repetition read_repetition(AnswerRow& row);
[[nodiscard]] store::QuietRun read_quiet_run(AnswerRow& row);

/// How the rows of a table are selected, sorted and read.
template <typename Value>
struct RowType {
    const char* table;
    const char* columns;
    const char* order;
    Value (*read)(AnswerRow&);

    /// Returns the query for the rows that meet a condition.
    [[nodiscard]] std::string select(const std::string& condition) const {
        return std::string("SELECT ") + columns + " FROM " + table + " WHERE " + condition +
               " ORDER BY " + order;
    }
};

inline constexpr RowType<store::Repetition> kRepetitions{"repetition", "game, key, plies",
                                                         "game, toInt64(key)", read_repetition};
inline constexpr RowType<store::QuietRun> kQuietRuns{
    "quiet_run", "game, ply50, has75, ply75, longest", "game, ply50", read_quiet_run};

/// Reads the rows of one game. Rows of games that the caller will probably ask for next are fetched
/// together. One thread.
template <typename Value>
class RowsOfGame {
  public:
    RowsOfGame(ReadSession& session, ExpectedGames& expected, const RowType<Value>& type)
        : session_(session), expected_(expected), type_(type) {}

    /// Drops the kept rows. Call it when the snapshot has changed.
    void forget() {
        games_.clear();
        rows_.clear();
    }

    [[nodiscard]] std::vector<Value> read(GameId game) {
        if (!std::ranges::binary_search(games_, game)) fetch(expected_.with(game));
        const auto found = rows_.find(game);
        return found == rows_.end() ? std::vector<Value>() : found->second;
    }

  private:
    void fetch(const std::vector<GameId>& games) {
        forget();
        const Snapshot& snapshot = session_.snapshot();
        read_rows(session_.connection(), type_.table,
                  type_.select(snapshot.sql_pushes() + " AND game IN " + sql_list(games) +
                               snapshot.sql_and_present()),
                  [&](AnswerRow& row) {
                      Value value = type_.read(row);
                      rows_[value.game].push_back(std::move(value));
                  });
        games_ = games;
    }

    ReadSession& session_;
    ExpectedGames& expected_;
    const RowType<Value>& type_;
    std::vector<GameId> games_;  // of the last query, ascending
    std::unordered_map<GameId, std::vector<Value>> rows_;
};

}  // namespace fendex::clickhouse
