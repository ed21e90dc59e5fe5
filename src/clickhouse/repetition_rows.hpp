// Reads rows of tables repetition and quiet_run of one game. Rows of games that the caller will
// probably ask for next are fetched together. One thread.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/expected_games.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/records.hpp"

namespace fendex::clickhouse {

/// The columns of table repetition, and the function that reads a row of them.
inline constexpr char kRepetitionColumns[] = "game, key, plies";
[[nodiscard]] store::Repetition read_repetition(AnswerRow& row);
/// The columns of table quiet_run, and the function that reads a row of them.
inline constexpr char kQuietRunColumns[] = "game, ply50, has75, ply75, longest";
[[nodiscard]] store::QuietRun read_quiet_run(AnswerRow& row);

class RepetitionRows {
  public:
    RepetitionRows(ReadSession& session, ExpectedGames& expected)
        : session_(&session), expected_(&expected) {}

    /// Drops the kept rows. Call it when the snapshot has changed.
    void forget() {
        repetitions_ = {};
        runs_ = {};
    }

    // These return repetitions in the order of keys (as signed numbers), runs in that of plies.
    [[nodiscard]] std::vector<store::Repetition> repetitions(GameId game);
    [[nodiscard]] std::vector<store::QuietRun> quiet_runs(GameId game);

  private:
    /// The rows of games that were fetched by one query.
    template <typename Value>
    struct Kept {
        std::vector<GameId> games;  // in the query, ascending
        std::unordered_map<GameId, std::vector<Value>> rows;
    };

    [[nodiscard]] std::vector<store::Repetition> select_repetitions(const std::string& condition);
    [[nodiscard]] std::vector<store::QuietRun> select_runs(const std::string& condition);
    template <typename Value, typename Read>
    [[nodiscard]] std::vector<Value> select(const std::string& table, const char* columns,
                                            const std::string& condition, Read read);
    template <typename Value, typename Select>
    [[nodiscard]] std::vector<Value> of_game(GameId game, Kept<Value>& kept, Select select);

    ReadSession* session_;
    ExpectedGames* expected_;
    Kept<store::Repetition> repetitions_;
    Kept<store::QuietRun> runs_;
};

}  // namespace fendex::clickhouse
