// What makes a SQLite file a fendex database: its mark, its format version, and how it is opened.
#pragma once

#include <cstdint>
#include <string>

#include "store/sqlite/connection.hpp"

namespace fendex::store {

/// "FNDX" in SQLite's application_id. Do not change: on disk.
inline constexpr std::int64_t kApplicationId = 0x464E4458;
/// SQLite's user_version: raised when a database of this version cannot be read by earlier
/// programs.
inline constexpr std::int64_t kFormatVersion = 5;
/// The oldest version that is read. Only kFormatVersion is written.
inline constexpr std::int64_t kOldestVersion = 4;
inline constexpr int kPageSize = 16384;

/// Throws StoreError for what is no fendex database, or one of a newer format, or one whose tables
/// are not ours, naming what it is.
void require_fendex(Connection& connection);
/// Throws StoreError if the database has been upgraded to another format since require_fendex().
void require_same_format(Connection& connection);
/// Opens what is there. Throws StoreError for what is no fendex database, naming what it is, and
/// for one of an older format that is to be written.
Connection open_database(const std::string& path, Connection::Mode mode);
/// The same, for whatever version.
Connection open_any_version(const std::string& path, Connection::Mode mode);

/// No table has as many rows as the file has bytes: ids and counts beyond that are damage, and
/// nothing is allocated, or counted through, for them.
std::int64_t most_rows(Connection& connection);

/// SQLite orders integers signed, keys are unsigned.
constexpr std::int64_t sql_order(std::uint64_t key) {
    return static_cast<std::int64_t>(key ^ (std::uint64_t{1} << 63));
}
constexpr std::uint64_t key_of_sql_order(std::int64_t value) {
    return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}

}  // namespace fendex::store
