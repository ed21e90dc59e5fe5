// Snapshots of a cluster: its complete pushes. A complete push never changes, so all queries that
// name the same pushes see the same games, whatever is written meanwhile. The rows of a push that
// was replaced stay for a while, so that those who know only the older push can still read it.
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

#include "base/key_text.hpp"
#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/shard_servers.hpp"
#include "store/game_range.hpp"
#include "store/records.hpp"
#include "store/snapshot_cache.hpp"

namespace fendex::clickhouse {

using store::GameId;

/// Returns the SQL condition that a row belongs to one of these pushes, which must ascend:
/// "(push BETWEEN 1 AND 3 OR push = 9)". For no pushes it is "(push = 0)", which fits no row.
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
        std::uint64_t sharding = 0;
        StoredRows stored_rows;
        bool has_records = false;  // all of its database, and no games

        bool operator==(const Push&) const = default;
    };

    /// `complete` ascend by number. `snapshot_cache_bytes`: capacity of snapshot_cache().
    Snapshot(std::vector<Push> complete, std::uint64_t number, std::size_t snapshot_cache_bytes);

    [[nodiscard]] const std::vector<Push>& complete() const { return complete_; }
    /// Returns the complete pushes that have games or what belongs to them.
    [[nodiscard]] const std::vector<Push>& pushes() const { return pushes_; }
    /// Returns the pushes that have the records of positions, one of each database that has some.
    [[nodiscard]] const std::vector<PushNumber>& pushes_of_records() const { return of_records_; }
    /// Returns the number of records. A position counts for each database that has one of it.
    [[nodiscard]] std::uint64_t records() const { return records_; }
    /// Returns a number that changes when the list of pushes changes.
    [[nodiscard]] std::uint64_t number() const { return number_; }
    /// Returns the highest id of a game; 0 if there are no games.
    [[nodiscard]] GameId last_game() const { return last_game_; }
    /// Returns the ranges of ids that have games, ascending and without overlap. A range may have
    /// gaps.
    [[nodiscard]] const std::vector<store::GameRange>& ranges() const { return ranges_; }
    /// Returns whether games were taken back; lists must leave them out.
    [[nodiscard]] bool has_taken_back() const { return has_taken_back_; }

    /// Returns the pushes that have rows in one of counted_tables(), ascending.
    [[nodiscard]] std::vector<PushNumber> pushes_with_rows(std::string_view table) const;
    /// Returns the SQL condition that a row belongs to pushes().
    [[nodiscard]] std::string sql_pushes(std::string_view column = "push") const;
    /// Returns the SQL condition that a game was not taken back, with " AND " before it:
    /// " AND game GLOBAL NOT IN (SELECT game FROM taken_back WHERE ...)". Empty if no game was.
    /// Lists of postings need sql_and_added(), too.
    [[nodiscard]] std::string sql_and_present(std::string_view game_column = "game") const;
    /// Returns the condition on rows of posting and variation that add a game: " AND sign = 1" if
    /// games were taken back, else empty.
    [[nodiscard]] std::string_view sql_and_added() const;

    [[nodiscard]] store::SnapshotCache& snapshot_cache() const { return *snapshot_cache_; }
    /// Returns a number of the cache; what count() returns if the question is new.
    template <typename Count>
    [[nodiscard]] std::uint64_t kept_number(const base::KeyText& question, Count count) const {
        if (const auto known = snapshot_cache_->get<std::uint64_t>(question.text())) return *known;
        const auto number = std::make_shared<std::uint64_t>(count());
        snapshot_cache_->put(question.text(), number, question.text().size() + sizeof *number);
        return *number;
    }

  private:
    std::vector<Push> complete_;
    std::vector<Push> pushes_;
    std::vector<PushNumber> of_records_;
    std::uint64_t records_ = 0;
    std::uint64_t number_;
    std::vector<store::GameRange> ranges_;
    GameId last_game_ = 0;
    bool has_taken_back_ = false;
    std::shared_ptr<store::SnapshotCache> snapshot_cache_;
};

/// The newest snapshot of a database, shared by all its readers. Any thread.
class SnapshotSource {
  public:
    using Clock = std::chrono::steady_clock;

    /// A snapshot up to this age is returned without a query.
    static constexpr std::chrono::milliseconds kFresh{100};
    /// An answer that came within this time after its snapshot is complete. It is half of
    /// kReplacedRowsStay, because clocks of those who push may differ.
    static constexpr std::chrono::minutes kTrusted{5};

    /// A snapshot, and when it was right: all its rows were there at this time.
    struct Dated {
        std::shared_ptr<const Snapshot> snapshot;
        Clock::time_point time;
    };

    /// `trusted` is there for tests.
    explicit SnapshotSource(std::size_t snapshot_cache_bytes, Clock::duration trusted = kTrusted)
        : snapshot_cache_bytes_(snapshot_cache_bytes), trusted_(trusted) {}

    /// Returns the newest snapshot. Queries the server if the last query is older than kFresh.
    /// Updates the layout if a push has rows in a table that has been made since. Throws
    /// StoreError, also if the numbers of rows in the tables differ from the ledger.
    [[nodiscard]] Dated newest(Connection& connection, Layout& layout);
    /// Returns how long an answer can be trusted without another look at the numbers of rows.
    [[nodiscard]] Clock::duration trusted() const { return trusted_; }

  private:
    [[nodiscard]] static std::vector<Snapshot::Push> read(Connection& connection, Layout& layout);

    const std::size_t snapshot_cache_bytes_;
    const Clock::duration trusted_;
    std::mutex mutex_;
    Dated newest_;
};

/// A server, and the names of its tables that have the rows of some positions.
struct PlaceOfKeys {
    Connection& connection;
    bool is_shard = false;  // tables NAME_shard, not NAME

    [[nodiscard]] std::string table(std::string_view name) const;
};

/// A connection and its current snapshot. A reader and its engine share it. For one thread at a
/// time. A query throws StoreError (kBusy) if rows of the snapshot were dropped before it ended,
/// because newer pushes replace them.
class ReadSession {
  public:
    ReadSession(Connection connection, std::shared_ptr<SnapshotSource> source)
        : connection_(std::move(connection)), source_(std::move(source)) {
        connection_.set_check([this] { require_rows(); });
    }
    ReadSession(const ReadSession&) = delete;
    ReadSession& operator=(const ReadSession&) = delete;

    /// Says where the tables are. Without this call, they are on one server.
    void set_layout(Layout layout);
    /// Returns whether the database had this table when the layout was read.
    [[nodiscard]] bool has_table(std::string_view name) const { return layout_.has(name); }
    /// Returns the name of the table with the rows of the shard that runs the query, for subqueries
    /// about the games of the same shard.
    [[nodiscard]] std::string table_of_shard(std::string_view name) const;
    [[nodiscard]] Connection& connection() { return connection_; }
    /// Returns where the tables that are sharded by key have all rows with these keys. One shard
    /// is asked if one has them: by the server of connection(), or directly.
    [[nodiscard]] PlaceOfKeys place_of(std::span<const std::uint64_t> keys);
    [[nodiscard]] const Snapshot& snapshot() const { return *snapshot_; }
    /// Takes the newest snapshot.
    void refresh();

  private:
    void require_rows();

    Connection connection_;
    Layout layout_;
    bool is_spread_as_now_ = false;
    std::unique_ptr<ShardServers> shards_;  // null until they are needed
    std::shared_ptr<SnapshotSource> source_;
    std::shared_ptr<const Snapshot> snapshot_;
    SnapshotSource::Clock::time_point had_rows_;  // all rows of the snapshot were there
    bool is_looking_ = false;                     // for a snapshot or its rows
};

}  // namespace fendex::clickhouse
