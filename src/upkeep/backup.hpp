// A backup: a copy of a database as of one moment, checked before it replaces an earlier backup.
// Other processes may import meanwhile. If none of them is writing when the copy begins, the first
// change by one of them makes the copy begin again. If a backup ends early, the earlier backup
// stays unchanged. The next backup to the same file removes the remains of a killed one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "upkeep/damage.hpp"

namespace fendex::upkeep {

enum class BackupPhase { kCopying, kCompacting, kChecking };

struct BackupOptions {
    bool compact = false;
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    int pages_at_once = 1024;
    /// Called now and then in the calling thread; `share` is the finished part of the phase.
    std::function<void(BackupPhase, double share)> progress = {};
    /// Called now and then, by any thread; if it returns true, the backup stops.
    std::function<bool()> stop = {};
};

struct BackupReport {
    bool stopped = false;
    Findings findings;  // if not empty, the copy was discarded
    std::uint64_t games = 0;
    std::uint64_t bytes = 0;  // size of the copy
};

/// Throws StoreError if the database cannot be read, or if a backup must not replace `target`:
/// another kind of file, a database in the middle of a change, or one that has later games than
/// `database`. Throws std::system_error if the copy cannot be written.
void require_replaceable(const std::string& database, const std::string& target);

/// Calls require_replaceable() first.
[[nodiscard]] BackupReport back_up(const std::string& database, const std::string& target,
                                   const BackupOptions& options);

}  // namespace fendex::upkeep
