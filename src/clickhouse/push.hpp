// Pushes a database to ClickHouse. Each game is stored exactly once, even if a push is killed. Rows
// of a push count from the moment when the ledger says that it is complete. If a push was killed,
// the next one gives it up, drops its rows and sends the games again. At its end a push may join
// itself with earlier ones (joining.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/store.hpp"

namespace fendex::clickhouse {

struct PushProgress {
    enum class Phase { kSending, kSumming, kJoining };

    Phase phase = Phase::kSending;
    std::uint64_t games = 0;  // sent so far
    std::uint64_t total_games = 0;
    std::uint64_t postings = 0;
};

/// How long the rows of a push stay after it was replaced: those who do not know that yet still
/// read them. The next push drops them.
inline constexpr std::chrono::seconds kReplacedRowsStay = 2 * SnapshotSource::kTrusted;

struct PushOptions {
    std::string password;
    /// The cluster for new tables; empty: the server itself, or where the tables are already.
    std::string cluster;
    /// Sends all games and records again. They replace those that were pushed from the database
    /// before.
    bool replace = false;
    unsigned threads = 1;
    /// More games are pushed in several parts; each part is a push that is complete by itself.
    std::uint64_t games_at_once = 4'000'000;
    /// Number of postings that a thread sends at once; each takes some 60 bytes of memory.
    std::uint64_t block_postings = 1'000'000;
    std::chrono::seconds replaced_rows_stay = kReplacedRowsStay;
    /// Rows that nobody needs are dropped for this long; the next push goes on with the others. A
    /// server takes some 20 ms for those of one push in one table.
    std::chrono::seconds time_to_drop{10};
    /// Called now and then, in the calling thread. Its exceptions end the work.
    std::function<void(const PushProgress&)> progress = {};
};

struct PushSummary {
    Origin origin = 0;
    bool nothing_new = false;
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t postings = 0;
    std::uint64_t taken_back = 0;          // games that were deleted since they were pushed
    std::optional<std::uint64_t> records;  // of positions; empty if they have not changed
    // The pushes and games that the option `replace` has replaced.
    std::uint64_t replaced_pushes = 0;
    std::uint64_t replaced_games = 0;
    /// Why pushes were not joined or old rows not dropped, as one line; empty if nothing failed.
    /// All was sent nevertheless, and the next push tries again.
    std::string not_tidied;
    /// Sentences about pushes whose rows were lost; what they had was sent again.
    std::vector<std::string> mended;
    std::vector<std::string> away;  // replicas that do not have the rows yet, with their shards
};

/// Creates the tables if they are missing. Sends the games that the cluster lacks, also those whose
/// rows were lost or added since they were pushed, and takes back games that were deleted. Sends
/// all records of positions if they have changed. Throws StoreError: kAbsent (no database, no
/// cluster of that name), kUnreachable, kFull, kNewerFormat, kDamaged, kOlderFormat (the database
/// has no id), kBusy (another program pushes the same database), kOther (games that were pushed
/// before have changed: use `replace`).
PushSummary push_database(store::Store& database, const Url& url, const PushOptions& options);

/// The result of check_push().
struct PushCheck {
    std::vector<std::string> differences;  // sentences; empty: all is equal
    Origin origin = 0;
    std::uint64_t pushes = 0;
    std::uint64_t games = 0;
    std::uint64_t postings = 0;
};

/// Compares counts and fingerprints: those of the rows of each push with the ledger, and those of
/// the ledger with the database; of records of positions, how many there are and from what sources.
/// Throws StoreError; kAbsent also if the database was not pushed.
PushCheck check_push(store::Store& database, Connection connection);

/// Compares only the rows of pushes with the ledger; returns the differences.
std::vector<std::string> wrong_rows_of_pushes(Connection& connection, const Layout& layout,
                                              const OriginPushes& pushes);

}  // namespace fendex::clickhouse
