// Rows of tables repetition and quiet_run: of one game, and in scans. Those of the games that will
// probably be asked for next are fetched at once. One thread.
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

/// The columns of a row of repetition, and the row.
inline constexpr char kRepetitionColumns[] = "game, key, plies";
[[nodiscard]] store::Repetition read_repetition(AnswerRow& row);
/// The columns of a row of quiet_run, and the row.
inline constexpr char kQuietRunColumns[] = "game, ply50, has75, ply75, longest";
[[nodiscard]] store::QuietRun read_quiet_run(AnswerRow& row);

class RepetitionRows {
  public:
    RepetitionRows(ReadSession& session, ExpectedGames& expected)
        : session_(&session), expected_(&expected) {}

    /// Drops what is kept: the snapshot is another one.
    void forget() {
        repetitions_ = {};
        runs_ = {};
    }

    // In the order of keys (as signed numbers), and of plies.
    [[nodiscard]] std::vector<store::Repetition> repetitions(GameId game);
    [[nodiscard]] std::vector<store::QuietRun> quiet_runs(GameId game);

    // These visit those of the games from `first` on until visit() returns false.
    void for_each_repetition(GameId first, std::uint32_t min_count,
                             const std::function<bool(const store::Repetition&)>& visit);
    void for_each_quiet_run(GameId first, const std::function<bool(const store::QuietRun&)>& visit);

  private:
    /// The rows of games that were fetched by one query.
    template <typename Value>
    struct Kept {
        std::vector<GameId> games;  // that were asked for, ascending
        std::unordered_map<GameId, std::vector<Value>> rows;
    };

    [[nodiscard]] std::vector<store::Repetition> select_repetitions(const std::string& condition);
    [[nodiscard]] std::vector<store::QuietRun> select_runs(const std::string& condition);
    template <typename Value, typename Read>
    [[nodiscard]] std::vector<Value> select(const std::string& table, const char* columns,
                                            const std::string& condition, Read read);
    template <typename Value, typename Select>
    [[nodiscard]] std::vector<Value> of_game(GameId game, Kept<Value>& kept, Select select);
    template <typename Value, typename Select>
    void scan(GameId first, Select select, const std::function<bool(const Value&)>& visit);

    ReadSession* session_;
    ExpectedGames* expected_;
    Kept<store::Repetition> repetitions_;
    Kept<store::QuietRun> runs_;
};

}  // namespace fendex::clickhouse
