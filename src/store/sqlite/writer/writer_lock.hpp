// Allows one writer at a time, by a lock file beside the database. It is locked as long as the
// writer lives, and names the process that holds it. SQLite's own locks are not enough, because
// they end with every commit.
//
// The lock is made with flock(), so it ends with the process in any case; a leftover file blocks no
// other writer. The database file itself is never opened here: closing it would drop SQLite's locks
// on it.
#pragma once

#include <string>
#include <string_view>

namespace fendex::store {

class WriterLock {
  public:
    /// Takes the lock, then removes unfinished files that killed processes left beside the
    /// database. `purpose` says in one word what the writer is for. Throws StoreError, which names
    /// the other process, if one is writing. If a lock file is not possible (the directory is not
    /// writable, the file system has no locks), there is no lock; SQLite will report if it cannot
    /// write.
    WriterLock(const std::string& database, std::string_view purpose);
    /// Removes the file and releases the lock.
    ~WriterLock();
    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;

  private:
    void unlock() const;
    void lock(const std::string& database, std::string_view purpose);

    std::string path_;
    int fd_ = -1;
};

}  // namespace fendex::store
