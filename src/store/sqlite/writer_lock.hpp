// One writer at a time: a lock file beside the database, held for as long as a writer lives, which
// says who holds it. SQLite's own locks do not do for that: they end with every commit.
//
// The lock is flock()'s, so it ends with the process, however that ends; a file that is left behind
// locks nobody out. The database file itself is never opened here: closing it would drop SQLite's
// locks on it.
#pragma once

#include <string>
#include <string_view>

namespace fendex::store {

class WriterLock {
  public:
    /// `purpose`: what the writer is for, in a word. Throws StoreError where another process
    /// writes, naming it. Where there can be no lock file (a directory that may not be written to,
    /// a file system without locks) there is no lock: SQLite says then whether it can write.
    WriterLock(const std::string& database, std::string_view purpose);
    /// The file goes with the lock.
    ~WriterLock();
    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;

  private:
    std::string path_;
    int fd_ = -1;
};

}  // namespace fendex::store
