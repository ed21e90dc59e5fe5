// Finds the openings of the stored games by replaying them, for databases that lack them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/tables/name_table.hpp"

namespace fendex::store {

class GameOpenings {
  public:
    /// Replays the games from 1 to `last` and adds the names of their openings to the table
    /// `opening`, which must be empty. Games that are damaged have no opening. Calls done() after
    /// each game. Throws StoreError.
    GameOpenings(Connection& connection, GameId last, const std::function<void()>& done);

    /// Returns the id of a game's opening; empty if it has none.
    std::optional<std::int64_t> id(std::int64_t game) const {
        if (game < 1 || game > static_cast<std::int64_t>(ids_.size())) return std::nullopt;
        const std::uint16_t id = ids_[static_cast<std::size_t>(game - 1)];
        return id == 0 ? std::nullopt : std::optional(std::int64_t{id});
    }

    /// Returns the checksum of the added names, a part of the checksum of all names.
    const LocatedSum& names_sum() const { return names_sum_; }

  private:
    LocatedSum names_sum_;
    std::vector<std::uint16_t> ids_;  // 0: none; 16 bits, because there are few names
};

}  // namespace fendex::store
