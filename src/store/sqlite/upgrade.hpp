// Makes a database of version 4 of the format one of the current version, in place and in one
// transaction: readers see the old one until it is done, and what is killed, stopped or runs into a
// full disk leaves the old one. Deleted games stay deleted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace fendex::store {

struct UpgradePlan {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::uint64_t bytes = 0;  // the database's
    /// Beside the database, beyond what it has. Rather too much than too little.
    std::uint64_t bytes_needed = 0;
};

struct UpgradeOptions {
    /// Called with the plan before anything is done; what it throws ends the upgrade.
    std::function<void(const UpgradePlan&)> announce;
    /// Called now and then, in the calling thread.
    std::function<void(double share)> progress;
    /// Called now and then, by any thread: true ends the upgrade, and leaves the database as it
    /// was.
    std::function<bool()> stop;
};

struct UpgradeReport {
    enum class End { kDone, kStopped, kNothingToDo };
    End end = End::kDone;
    std::int64_t from = 0;
    /// Parts of the index that were damaged. They were dropped: the next import or `compact` makes
    /// them anew from the games, which are searched one by one until then.
    std::uint64_t dropped_segments = 0;
};

/// Throws StoreError; the database is as it was then.
UpgradeReport upgrade_database(const std::string& path, const UpgradeOptions& options = {});

}  // namespace fendex::store
