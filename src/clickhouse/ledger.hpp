// The ledger of a database in ClickHouse: the databases that were pushed (table `origin`), and
// their pushes (table `push`). Uses a connection, in its thread. Throws StoreError.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/stored_rows.hpp"
#include "store/game_range.hpp"

namespace fendex::clickhouse {

/// Kinds of names, numbered like store::NameKind.
inline constexpr std::size_t kNameKinds = 5;

/// The numbers that a push added to the database, or their sums over several pushes.
struct PushCounters {
    std::int64_t games = 0;
    std::int64_t plies = 0;
    std::int64_t positions = 0;
    std::uint64_t fingerprint = 0;
    std::int64_t errors = 0;
    std::int64_t warnings = 0;
    std::int64_t annotated_games = 0;
    std::int64_t annotation_bytes = 0;

    void add(const PushCounters& other);
    bool operator==(const PushCounters&) const = default;
};

/// A row of table `push`.
struct PushRecord {
    enum State : std::uint8_t { kBegun = 0, kComplete = 1, kGivenUp = 2 };

    PushNumber number = 0;
    State state = kBegun;
    store::GameRange games;  // numbers in the database
    bool has_sources = false;
    std::uint64_t sources_mark = 0;  // a checksum of the rows of sources and errors
    std::uint64_t records_mark =
        0;  // not 0: it has records of positions (push_records.hpp), no games
    std::uint64_t taken_back = 0;
    PushCounters counters;
    std::uint64_t sharding = 0;
    bool variations = false;
    std::array<std::uint64_t, kNameKinds> last_names{};
    StoredRows stored_rows;            // of a complete push
    std::vector<PushNumber> replaces;  // pushes that do not count if this one does
    std::uint32_t time = 0;            // when the row was written, seconds since 1970
};

/// PushRecord::records_mark of a database without records.
inline constexpr std::uint64_t kNoRecords = 1;

/// A complete push that does not count, because another complete push replaces it.
struct ReplacedPush {
    PushNumber number = 0;
    std::uint32_t time = 0;  // since when; seconds since 1970, by the clock of who pushed
};

/// Reads the column push.replaces of a push. Throws StoreError if it has a number that cannot be
/// there.
[[nodiscard]] std::vector<PushNumber> read_replaces(AnswerRow& row, PushNumber push);

struct OriginPushes {
    // Ascending, without those that were replaced.
    std::vector<PushRecord> complete;
    std::vector<PushRecord> of_records;  // complete, too; more than one if programs pushed at once
    std::vector<ReplacedPush> replaced;  // ascending; their rows may still be there
    std::vector<PushNumber> begun;       // neither complete nor given up
    PushNumber last_n = 0;               // the highest n that was ever used

    /// Returns the last game that was pushed; 0 if none was.
    [[nodiscard]] store::GameId last_game() const;
    [[nodiscard]] PushCounters sum() const;
    /// Returns the mark of the newest sources; 0 if there are none.
    [[nodiscard]] std::uint64_t sources_mark() const;
    [[nodiscard]] std::array<std::uint64_t, kNameKinds> last_names() const;
    /// Returns the mark of the newest records; kNoRecords if there are none.
    [[nodiscard]] std::uint64_t records_mark() const;
    /// Returns the complete push with this number; null if there is none.
    [[nodiscard]] const PushRecord* find(PushNumber number) const;
};

class Ledger {
  public:
    /// `connection` must outlive the ledger. `written` is called after rows were added; it waits
    /// until all replicas have them, so that what is read next has them, too.
    explicit Ledger(Connection& connection, std::function<void()> written = {})
        : connection_(connection), written_(std::move(written)) {}

    /// Returns the origin of a database; empty if it was never pushed.
    std::optional<Origin> origin_of(std::string_view database);
    /// Gives a database the next free origin and returns it. If two programs do this at the same
    /// time, they get different ones.
    Origin new_origin(std::string_view database, std::string_view path);
    OriginPushes pushes_of(Origin origin);
    /// Adds rows of one origin: all of them, or none if it fails.
    void add(std::span<const PushRecord> records);

  private:
    void add_origin(Origin origin, std::string_view database, std::string_view path,
                    std::uint8_t state);

    Connection& connection_;
    std::function<void()> written_;
};

}  // namespace fendex::clickhouse
