// Copies a snapshot of a database with SQLite's backup, while others read and write it. Any thread.
// Nothing else may use the copy until it is finished.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// Replaces the content of database `to` by that of `from`, in one transaction. Returns whether the
/// copy is complete. Calls go_on() before each step; from the second step on, the write lock is
/// held. If go_on() returns false or throws, the transaction is rolled back.
[[nodiscard]] bool copy_pages(Connection& from, Connection& to, int pages_at_once,
                              const std::function<bool(double share)>& go_on);

struct CopyOptions {
    /// Pages that are copied between two calls of progress() and stop(). Other writers can begin
    /// between these steps.
    int pages_at_once = 1024;
    /// Called from time to time, in the calling thread. The share becomes smaller if a change by
    /// another program makes the copy start again.
    std::function<void(double share)> progress;
    /// Called from time to time; if it returns true, copying ends.
    std::function<bool()> stop;
};

/// Copies a fendex database to `to`, which must not exist: one file, synced to the disk. Returns
/// false if it was stopped; then `to` is incomplete. Throws StoreError.
[[nodiscard]] bool copy_database(const std::string& from, const std::string& to,
                                 const CopyOptions& options);

/// Replaces the content of a database by that of `from`. Others may have it open; they keep the
/// snapshot that they have begun. Returns false if it was stopped; then nothing has changed. Throws
/// StoreError.
[[nodiscard]] bool overwrite_database(const std::string& database, const std::string& from,
                                      const CopyOptions& options);

/// Returns whether the file begins like a fendex database of any format version. Does not open it
/// as a database.
bool looks_like_fendex(const std::string& path);

}  // namespace fendex::store
