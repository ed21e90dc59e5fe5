// The files of a database: the one that has its name, and those that SQLite and fendex keep beside
// it while it is in use. Any thread.
#pragma once

#include <string>

namespace fendex::store {

/// What is added to the name of a database for the files that SQLite keeps beside it.
inline constexpr const char* kSqliteSuffixes[] = {"-wal", "-shm", "-journal"};
/// The same for the lock file of the process that writes.
inline constexpr const char* kLockSuffix = "-writer";

/// Returns the path without symbolic links, or the path itself if nothing has it. SQLite keeps its
/// files beside the file that a link leads to.
[[nodiscard]] std::string real_path(const std::string& path);

/// Returns whether the path, by whatever name, leads to a file of the database, or to where one
/// will be.
[[nodiscard]] bool belongs_to_database(const std::string& database, const std::string& path);

/// Throws StoreError if a file of the database exists and is not a regular file: opening a pipe
/// waits until another process writes to it, which may be for ever.
void require_regular_files(const std::string& database);

/// Returns whether this process may write the file and make others beside it.
[[nodiscard]] bool can_write_beside(const std::string& database);
/// Returns whether there is a log, empty or not, that readers can share.
[[nodiscard]] bool has_log(const std::string& database);
[[nodiscard]] bool log_has_content(const std::string& database);
/// Returns whether the file alone is the whole database: no log or journal belongs to it.
[[nodiscard]] bool is_whole(const std::string& database);

}  // namespace fendex::store
