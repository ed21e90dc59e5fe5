// What readers of a cluster see: the pushes that are complete. A push never changes once it is
// complete, so all queries that name the same pushes see the same games, whatever is written
// meanwhile.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/ledger.hpp"
#include "store/game_range.hpp"
#include "store/records.hpp"
#include "store/snapshot_shelf.hpp"

namespace fendex::clickhouse {

using store::GameId;

/// The SQL condition that a row is of these pushes, which ascend, in parentheses:
/// "(push BETWEEN 1 AND 3 OR push = 9)". "(push = 0)", which no row has, if there is none.
[[nodiscard]] std::string sql_pushes(std::span<const PushNumber> pushes,
                                     std::string_view column = "push");

/// The complete pushes at one moment. Values do not change; any thread.
class Snapshot {
  public:
    /// A complete push, from the ledger.
    struct Push {
        PushNumber number = 0;
        store::GameRange range;  // ids in the cluster of the games that it sent; may be empty
        bool has_sources = false;
        std::uint64_t taken_back = 0;
        PushCounters counters;
        StoredRows stored_rows;

        bool operator==(const Push&) const = default;
    };

    /// `pushes` ascend by number. `shelf_bytes`: capacity of shelf().
    Snapshot(std::vector<Push> pushes, std::uint64_t number, std::size_t shelf_bytes);

    [[nodiscard]] const std::vector<Push>& pushes() const { return pushes_; }
    /// A number that changes with the list of pushes.
    [[nodiscard]] std::uint64_t number() const { return number_; }
    /// The highest id of a game; 0 if there is none.
    [[nodiscard]] GameId last_game() const { return last_game_; }
    /// The ranges of ids in which games are, ascending and apart. A range may have gaps.
    [[nodiscard]] const std::vector<store::GameRange>& ranges() const { return ranges_; }
    /// Whether games were taken back, so that lists must leave them out.
    [[nodiscard]] bool has_taken_back() const { return has_taken_back_; }

    /// The SQL condition that a row is of these pushes.
    [[nodiscard]] std::string sql_pushes(std::string_view column = "push") const;
    /// The SQL condition that a game was not taken back, with " AND " before it:
    /// " AND game GLOBAL NOT IN (SELECT game FROM taken_back WHERE ...)". Empty if none was.
    /// For lists of postings add sql_and_added() as well.
    [[nodiscard]] std::string sql_and_present(std::string_view game_column = "game") const;
    /// " AND sign = 1" if games were taken back, else empty: the rows of posting and variation that
    /// add a game. (Sums take all rows and multiply by sign.)
    [[nodiscard]] std::string_view sql_and_added() const;

    [[nodiscard]] store::SnapshotShelf& shelf() const { return *shelf_; }
    [[nodiscard]] const std::shared_ptr<store::SnapshotShelf>& shared_shelf() const {
        return shelf_;
    }

  private:
    std::vector<Push> pushes_;
    std::uint64_t number_;
    std::vector<store::GameRange> ranges_;
    GameId last_game_ = 0;
    bool has_taken_back_ = false;
    std::shared_ptr<store::SnapshotShelf> shelf_;
};

/// The newest snapshot of a database, shared by all its readers. Any thread.
class SnapshotSource {
  public:
    /// How old a snapshot may be that a reader gets without a query.
    static constexpr std::chrono::milliseconds kFresh{100};

    explicit SnapshotSource(std::size_t shelf_bytes) : shelf_bytes_(shelf_bytes) {}

    /// Returns the present snapshot; asks the server if it was not asked within kFresh. `cluster`
    /// is that of the tables, empty if they are on one server. Throws StoreError, also if the
    /// tables have not as many rows as the ledger says.
    [[nodiscard]] std::shared_ptr<const Snapshot> newest(Connection& connection,
                                                         std::string_view cluster);

  private:
    [[nodiscard]] static std::vector<Snapshot::Push> read(Connection& connection,
                                                          std::string_view cluster);

    const std::size_t shelf_bytes_;
    std::mutex mutex_;
    std::shared_ptr<const Snapshot> newest_;
    std::chrono::steady_clock::time_point read_;
};

/// A connection and its present snapshot: what a reader and its engine share. Queries of both go
/// through it. One thread at a time.
class ReadSession {
  public:
    ReadSession(Connection connection, std::shared_ptr<SnapshotSource> source)
        : connection_(std::move(connection)), source_(std::move(source)) {}

    /// Says over which cluster the tables are distributed; they are on one server if it is not
    /// called.
    void set_cluster(std::string cluster) { cluster_ = std::move(cluster); }
    [[nodiscard]] Connection& connection() { return connection_; }
    [[nodiscard]] const Snapshot& snapshot() const { return *snapshot_; }
    /// Takes the newest snapshot.
    void refresh() { snapshot_ = source_->newest(connection_, cluster_); }

  private:
    Connection connection_;
    std::string cluster_;
    std::shared_ptr<SnapshotSource> source_;
    std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace fendex::clickhouse
