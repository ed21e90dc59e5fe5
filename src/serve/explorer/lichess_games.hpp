// Finds games of lichess.org by their ids, which are in the tag Site. The databases have no index
// of them. The first request reads the addresses of all games and keeps 8 bytes a game; later
// requests read only those of new games. A cluster searches the addresses itself. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

#include "base/stop_check.hpp"
#include "serve/databases.hpp"

namespace fendex::serve::explorer {

class LichessGames {
  public:
    /// For one database.
    LichessGames() = default;

    /// Returns whether find() is fast: the addresses of all but a few games are read already. False
    /// for a cluster.
    [[nodiscard]] bool is_ready(const OpenDatabase& database);
    /// Returns the first game with this id. Throws base::Stopped, StoreError.
    [[nodiscard]] std::optional<store::GameId> find(const OpenDatabase& database,
                                                    std::string_view id, std::stop_token stop);

  private:
    struct Entry {
        std::uint32_t hash = 0;
        std::uint32_t game = 0;

        bool operator<(const Entry& other) const {
            return hash != other.hash ? hash < other.hash : game < other.game;
        }
    };

    void update(const OpenDatabase& database, store::LocalReader& reader, base::StopCheck& stop);

    std::mutex mutex_;
    std::weak_ptr<store::Store> store_;  // the entries are of it; another store is another file
    store::GameId last_ = 0;             // the entries are of games up to this one
    std::vector<Entry> entries_;
};

}  // namespace fendex::serve::explorer
