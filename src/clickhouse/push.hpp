// Pushes a database to ClickHouse: exactly once, whatever happens on the way. Rows of a push count
// from the moment when the ledger says that it is complete; a push that was killed is given up by
// the next one, which drops its rows and sends the games again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/ledger.hpp"
#include "store/store.hpp"

namespace fendex::clickhouse {

struct PushProgress {
    enum class Phase { kSending, kSumming };

    Phase phase = Phase::kSending;
    std::uint64_t games = 0;  // sent so far
    std::uint64_t total_games = 0;
    std::uint64_t postings = 0;
};

struct PushOptions {
    std::string password;
    /// Where new tables are made; empty: on the server itself, or where they are.
    std::string cluster;
    /// Sends all games again, in place of those that were pushed from the database before.
    bool replace = false;
    unsigned threads = 1;
    /// A push of more games is made in several parts, each of which is complete by itself.
    std::uint64_t games_at_once = 4'000'000;
    /// Postings that are sent at once; some 60 bytes each in memory, for each thread.
    std::uint64_t block_postings = 1'000'000;
    /// Called now and then, in the calling thread; what it throws ends the work.
    std::function<void(const PushProgress&)> progress = {};
};

struct PushSummary {
    Origin origin = 0;
    bool nothing_new = false;
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t postings = 0;
    std::uint64_t taken_back = 0;  // games that were deleted since they were pushed
};

/// Makes the tables if they are missing, and sends what the database has and the cluster has not;
/// takes back what was deleted. Throws StoreError: kAbsent (no database, no cluster of that name),
/// kUnreachable, kFull, kNewerFormat, kDamaged, kOlderFormat (the database has no id), kOther (it
/// was changed in a way that cannot be added to what was pushed: `replace` helps).
PushSummary push_database(store::Store& database, const Url& url, const PushOptions& options);

/// What was compared.
struct PushCheck {
    std::vector<std::string> differences;  // sentences; empty: all is equal
    Origin origin = 0;
    std::uint64_t pushes = 0;
    std::uint64_t games = 0;
    std::uint64_t postings = 0;
};

/// Compares counts and fingerprints: of the rows of each push with the ledger, and of the ledger
/// with the database. Throws StoreError like push_database(), and kAbsent if the database was not
/// pushed.
PushCheck check_push(store::Store& database, Connection connection);

/// The part of it that compares the rows of pushes with the ledger; returns the differences.
std::vector<std::string> wrong_rows_of_pushes(Connection& connection, std::string_view cluster,
                                              const OriginPushes& pushes);

}  // namespace fendex::clickhouse
