// Copies a snapshot of a database with SQLite's backup, while others read and write it. Any thread;
// nobody else may use the copy meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/sqlite/connection.hpp"

namespace fendex::store {

/// Replaces all that is in a database by what is in another, in one transaction. go_on() is called
/// before each step, from the second on with the write lock held; when it returns false or throws,
/// the transaction is taken back. Returns whether the copy is complete.
[[nodiscard]] bool copy_pages(Connection& from, Connection& to, int pages_at_once,
                              const std::function<bool(double share)>& go_on);

struct CopyOptions {
    /// Pages that are copied between two calls of progress() and stop(); other writers can begin in
    /// between.
    int pages_at_once = 1024;
    /// Called from time to time, in the calling thread. The share falls if another program's change
    /// makes the copy start again.
    std::function<void(double share)> progress;
    /// Called from time to time; if it returns true, copying ends.
    std::function<bool()> stop;
};

/// Copies a fendex database to `to`, which must not exist: one file, synced to the disk. False if
/// it was stopped; then `to` is incomplete. Throws StoreError.
[[nodiscard]] bool copy_database(const std::string& from, const std::string& to,
                                 const CopyOptions& options);

/// Replaces the content of a database that others have open by that of `from`. They read on what
/// they began to read. False if it was stopped; then nothing has changed. Throws StoreError.
[[nodiscard]] bool overwrite_database(const std::string& database, const std::string& from,
                                      const CopyOptions& options);

/// Returns whether the file begins like a fendex database of any format version. Does not open it
/// as a database.
bool looks_like_fendex(const std::string& path);

}  // namespace fendex::store
