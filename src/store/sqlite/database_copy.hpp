// A copy of a database as it was at one moment, made while others read and write it: SQLite's
// backup. Any thread; the copy is nobody else's meanwhile.
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
    /// Pages that are copied between two calls; others may begin to write in between.
    int pages_at_once = 1024;
    /// Called now and then, in the calling thread. The share falls when another program's change
    /// makes the copy begin again.
    std::function<void(double share)> progress;
    /// Called now and then; true ends it.
    std::function<bool()> stop;
};

/// Writes a fendex database to `to`, where no file may be: one file, synced to the disk. False if
/// it was stopped; then `to` holds a part. Throws StoreError.
bool copy_database(const std::string& from, const std::string& to, const CopyOptions& options);

/// Whether the file begins as a fendex database does, of whatever format version. Does not open it
/// as a database.
bool looks_like_fendex(const std::string& path);

}  // namespace fendex::store
