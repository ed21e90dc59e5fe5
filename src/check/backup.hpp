// A backup: a copy of a database as it was at one moment, checked before it takes the place of an
// earlier one. Others may import meanwhile: if nobody writes when it begins, the first change makes
// the copy begin again. Whenever it ends early, the earlier backup is there,
// whole; what a killed one leaves is removed by the next backup to the same file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "check/damage.hpp"

namespace fendex::check {

enum class BackupPhase { kCopying, kCompacting, kChecking };

struct BackupOptions {
    bool compact = false;
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    int pages_at_once = 1024;
    /// Called now and then, in the calling thread; the share is of the phase.
    std::function<void(BackupPhase, double share)> progress;
    /// Called now and then, by any thread; true ends it.
    std::function<bool()> stop;
};

struct BackupReport {
    bool stopped = false;
    Findings findings;  // if there are any, the copy was discarded
    std::uint64_t games = 0;
    std::uint64_t bytes = 0;  // of the copy
};

/// Throws StoreError if the database cannot be read, or if `target` is something that a backup must
/// not replace: another kind of file, a database in use, one that has games which `database` has
/// not. Throws std::system_error if the copy cannot be written.
void require_replaceable(const std::string& database, const std::string& target);

/// Calls require_replaceable() first.
BackupReport back_up(const std::string& database, const std::string& target,
                     const BackupOptions& options);

}  // namespace fendex::check
