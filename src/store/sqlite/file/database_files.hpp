// The files of a database: the file with its name, and those that SQLite and fendex keep beside it
// while it is in use. Any thread.
#pragma once

#include <string>

namespace fendex::store {

/// Suffixes of the name of a database for the files that SQLite keeps beside it.
inline constexpr const char* kSqliteSuffixes[] = {"-wal", "-shm", "-journal"};
/// Suffix for the lock file of the process that writes.
inline constexpr const char* kLockSuffix = "-writer";

/// Returns the path without symbolic links, or the path itself if there is no such file. SQLite
/// keeps its files beside the file that a link leads to.
[[nodiscard]] std::string real_path(const std::string& path);

/// Returns whether the path, by any name, leads to a file of the database, or to the place of one
/// that does not exist yet.
[[nodiscard]] bool belongs_to_database(const std::string& database, const std::string& path);

/// Throws StoreError if a file of the database exists and is not a regular file. Opening a pipe,
/// for example, could wait for ever for a process that writes to it.
void require_regular_files(const std::string& database);

/// Returns whether this process may write the file and create others beside it.
[[nodiscard]] bool can_write_beside(const std::string& database);
/// Returns whether there is a log, empty or not, that readers can share.
[[nodiscard]] bool has_log(const std::string& database);
[[nodiscard]] bool log_has_content(const std::string& database);
/// Returns whether the file alone is the complete database: it has no log or journal.
[[nodiscard]] bool is_whole(const std::string& database);

}  // namespace fendex::store
