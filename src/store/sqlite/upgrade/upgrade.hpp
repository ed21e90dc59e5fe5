// Upgrades a database from an earlier version of the format to the current version, in place and in
// one transaction. Readers see the old database until the end. If the upgrade is killed, stopped or
// runs out of disk space, the database is unchanged. Deleted games stay deleted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace fendex::store {

struct UpgradePlan {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::uint64_t bytes = 0;  // of the database
    /// Additional disk space that is needed beside the database. An upper estimate.
    std::uint64_t bytes_needed = 0;
};

struct UpgradeOptions {
    /// Called with the plan before anything is changed. If it throws, the upgrade ends.
    std::function<void(const UpgradePlan&)> announce;
    /// Called from time to time, in the calling thread.
    std::function<void(double share)> progress;
    /// Called from time to time, by any thread; if it returns true, the upgrade ends and the
    /// database is unchanged.
    std::function<bool()> stop;
};

struct UpgradeReport {
    enum class End { kDone, kStopped, kNothingToDo };
    End end = End::kDone;
    std::int64_t from = 0;
    /// Number of damaged segments, which were dropped. The next import or `compact` rebuilds them
    /// from the games; until then, these games are searched one by one.
    std::uint64_t dropped_segments = 0;
};

/// Upgrades a database. If it throws StoreError, the database is unchanged.
UpgradeReport upgrade_database(const std::string& path, const UpgradeOptions& options = {});

}  // namespace fendex::store
