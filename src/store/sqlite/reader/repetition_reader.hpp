// Reads tables `repetition` and `quiet_run`. Uses the connection of a reader, in its thread and
// snapshot. Damage is thrown as StoreError.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

class RepetitionReader {
  public:
    explicit RepetitionReader(const Connection& connection);

    void for_each(GameId first, std::uint32_t min_count,
                  const std::function<bool(const Repetition&)>& visit);
    std::vector<Repetition> of_game(GameId game);
    void for_each_run(GameId first, const std::function<bool(const QuietRun&)>& visit);
    std::vector<QuietRun> runs_of_game(GameId game);

  private:
    const Connection* connection_;
    Statement of_game_;
    Statement runs_of_game_;
};

}  // namespace fendex::store
