// The mark and format version that make a SQLite file a fendex database, and how it is opened.
#pragma once

#include <cstdint>
#include <string>

#include "store/sqlite/connection.hpp"

namespace fendex::store {

/// "FNDX" in SQLite's application_id. Do not change: on disk.
inline constexpr std::int64_t kApplicationId = 0x464E4458;
/// SQLite's user_version. It is raised when earlier programs cannot read the new format.
inline constexpr std::int64_t kFormatVersion = 7;
/// The oldest version that is read. Only kFormatVersion is written.
inline constexpr std::int64_t kOldestVersion = 4;
inline constexpr int kPageSize = 16384;

/// Throws StoreError, which says what the file is, if it is not a fendex database, has a newer
/// format, or has other tables.
void require_fendex(Connection& connection);
/// Throws StoreError if the database has been upgraded to another format since require_fendex().
void require_same_format(Connection& connection);
/// Opens an existing database. Throws StoreError, which says what the file is, if it is not a
/// fendex database, or if it has an older format and is to be written.
[[nodiscard]] Connection open_database(const std::string& path, Connection::Mode mode);
/// The same, for any version.
[[nodiscard]] Connection open_any_version(const std::string& path, Connection::Mode mode);
/// Copies a log whose writer has ended into the database and empties it, as far as no reader needs
/// it. Waits for nobody; a log that cannot be emptied now stays.
void settle_log(const std::string& path);

/// Returns a limit for rows: no table has as many rows as the file has bytes. Ids and counts beyond
/// it are damage; no memory is allocated and no loop runs for them.
std::int64_t most_rows(Connection& connection);

/// Maps keys to integers with the same order: SQLite's integers are signed, keys are unsigned.
constexpr std::int64_t sql_order(std::uint64_t key) {
    return static_cast<std::int64_t>(key ^ (std::uint64_t{1} << 63));
}
constexpr std::uint64_t key_of_sql_order(std::int64_t value) {
    return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}

}  // namespace fendex::store
