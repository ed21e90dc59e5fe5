// One writer at a time: a lock file beside the database, held for as long as a writer lives, which
// says who holds it. SQLite's own locks do not suffice, because they end with every commit.
//
// The lock is made with flock(), so it ends with the process, however that ends; a leftover file
// locks nobody out. The database file itself is never opened here: closing it would drop SQLite's
// locks on it.
#pragma once

#include <string>
#include <string_view>

namespace fendex::store {

class WriterLock {
  public:
    /// `purpose` says in one word what the writer is for. Throws StoreError, which names the other
    /// process, if one is writing. If there can be no lock file (the directory is not writable, the
    /// file system has no locks), there is no lock; SQLite will tell whether it can write.
    /// Then removes the unfinished files beside the database that killed processes left.
    WriterLock(const std::string& database, std::string_view purpose);
    /// Removes the file with the lock.
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
