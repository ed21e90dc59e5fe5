// The mark and format version that make a SQLite file a fendex database, and functions that open
// it.
#pragma once

#include <cstdint>
#include <string>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// "FNDX" in SQLite's application_id. Do not change: on disk.
inline constexpr std::int64_t kApplicationId = 0x464E4458;
/// SQLite's user_version. It is raised when earlier programs cannot read the new format.
inline constexpr std::int64_t kFormatVersion = 7;
/// The oldest version that can be read. Only kFormatVersion is written.
inline constexpr std::int64_t kOldestVersion = 4;
/// The first version that has checksums, warnings beside errors, prefixes of sources and an id.
inline constexpr std::int64_t kSealedFormat = 5;
/// The first version that has tables of codes.
inline constexpr std::int64_t kCodesFormat = 6;
/// The first version in which games have an opening.
inline constexpr std::int64_t kOpeningsFormat = 7;
inline constexpr int kPageSize = 16384;

/// Throws StoreError, which says what the file is, unless it is a fendex database of a known format
/// with the right tables.
void require_fendex(Connection& connection);
/// Throws StoreError if the database has been upgraded to another format since require_fendex().
void require_same_format(Connection& connection);
/// Opens an existing database. Throws StoreError, which says what the file is, if it is not a
/// fendex database, or if it has an older format and `mode` allows writing.
[[nodiscard]] Connection open_database(const std::string& path, Connection::Mode mode);
/// Opens an existing database, also to write to an older format. Throws like open_database().
[[nodiscard]] Connection open_any_version(const std::string& path, Connection::Mode mode);
/// Copies a log whose writer has ended into the database and empties it, unless a reader needs it.
/// Never waits: a log that cannot be emptied now stays.
void settle_log(const std::string& path);

/// Returns a limit for rows: no table has as many rows as the file has bytes. Larger ids and counts
/// are damage. Callers check them before they allocate memory or loop.
std::int64_t most_rows(const Connection& connection);

/// Maps keys to integers with the same order: SQLite's integers are signed, keys are unsigned.
constexpr std::int64_t sql_order(std::uint64_t key) {
    return static_cast<std::int64_t>(key ^ (std::uint64_t{1} << 63));
}
constexpr std::uint64_t key_of_sql_order(std::int64_t value) {
    return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}

}  // namespace fendex::store
