// Sends games of a database as rows of one push. A thread reads a block of games, replays them and
// sends their rows; several threads do so at once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/push.hpp"
#include "store/game_range.hpp"
#include "store/snapshot_readers.hpp"

namespace fendex::clickhouse {

/// Rows for several tables that wait to be sent.
class PendingRows {
  public:
    RowWriter& of(std::string_view table);
    /// Sends the rows of each table in one insert, and clears them.
    void send(Connection& connection);

  private:
    struct Rows {
        std::string table;
        RowWriter rows;
    };
    std::vector<std::unique_ptr<Rows>> tables_;
};

/// Sends the games of a range, except deleted ones. Returns the counters of what was sent.
/// `readers` has one reader more than there are threads: the last one chooses the blocks. Calls
/// done(games, postings) in the calling thread after each block.
PushCounters send_games(
    store::SnapshotReaders& readers, const Url& url, const PushOptions& options, PushNumber push,
    const store::GameRange& games,
    const std::function<void(std::uint64_t games, std::uint64_t postings)>& done);

}  // namespace fendex::clickhouse
