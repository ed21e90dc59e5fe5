// Reads tables `repetition` and `quiet_run`. Uses the connection of a reader, in its thread and
// snapshot. Damage is thrown as StoreError.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

class RepetitionReader {
  public:
    explicit RepetitionReader(const Connection& connection);

    void for_each(GameId first, std::uint32_t min_count,
                  const std::function<bool(const Repetition&)>& visit);
    std::optional<Repetition> find(GameId game, std::uint64_t key);
    std::vector<Repetition> of_game(GameId game);

    void for_each_run(GameId first, const std::function<bool(const QuietRun&)>& visit);
    std::vector<QuietRun> runs_of_game(GameId game);

  private:
    void read(const Statement& row, Repetition& out) const;

    const Connection* connection_;
    Statement scan_;
    Statement select_key_;
    Statement select_game_;
    Statement scan_runs_;
    Statement select_runs_;
};

}  // namespace fendex::store
