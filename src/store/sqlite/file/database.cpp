#include "store/sqlite/file/database.hpp"

#include <filesystem>

#include "store/sqlite/file/database_files.hpp"
#include "store/sqlite/file/schema_check.hpp"

namespace fendex::store {

namespace {

[[noreturn]] void refuse(StoreError::Kind kind, const std::string& path, const std::string& why) {
    throw_store_error(kind, path + ": " + why);
}

void require_content(Connection& connection) {
    if (connection.integer("PRAGMA main.page_count") != 0) return;
    const std::string& path = connection.path();
    refuse(StoreError::kNotADatabase, path,
           "is empty: an import was interrupted before anything was stored, or nothing was ever "
           "imported. `fendex import " +
               path + " GAMES.pgn` fills it");
}

}  // namespace

void require_fendex(Connection& connection) {
    const std::string& path = connection.path();
    const std::int64_t id = connection.integer("PRAGMA main.application_id").value_or(0);
    const std::int64_t version = connection.integer("PRAGMA main.user_version").value_or(0);
    if (id != kApplicationId) {
        refuse(StoreError::kNotADatabase, path,
               id == 0 ? "is a SQLite database, but not one of fendex"
                       : "is a database of another program (application_id " + std::to_string(id) +
                             ")");
    }
    if (version > kFormatVersion) {
        refuse(StoreError::kNewerFormat, path,
               "has format " + std::to_string(version) + ", this program knows format " +
                   std::to_string(kFormatVersion) + ": use a newer fendex");
    }
    if (version < 1)
        refuse(StoreError::kDamaged, path, "is marked as fendex's but has no format version");
    if (version < kOldestVersion) {
        refuse(StoreError::kOlderFormat, path,
               "has format " + std::to_string(version) +
                   ", made by an earlier fendex: import the games again");
    }
    connection.set_format(version);
    require_schema(connection);
}

void require_same_format(Connection& connection) {
    if (connection.integer("PRAGMA main.user_version") != connection.format()) {
        refuse(StoreError::kUpgraded, connection.path(),
               "has been upgraded to another format: open it again");
    }
}

std::int64_t most_rows(const Connection& connection) {
    return connection.integer("PRAGMA main.page_count").value_or(0) *
           connection.integer("PRAGMA main.page_size").value_or(0);
}

Connection open_any_version(const std::string& path, Connection::Mode mode) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
        refuse(StoreError::kAbsent, path, "no such database");
    Connection connection(path, mode);
    try {
        require_content(connection);
        require_fendex(connection);
    } catch (const StoreError&) {
        if (connection.is_no_database())
            refuse(StoreError::kNotADatabase, path, "is not a database");
        throw;
    }
    return connection;
}

Connection open_database(const std::string& path, Connection::Mode mode) {
    Connection connection = open_any_version(path, mode);
    if (mode != Connection::Mode::kReadOnly && connection.format() < kFormatVersion) {
        refuse(StoreError::kOlderFormat, path,
               "has format " + std::to_string(connection.format()) +
                   ", which can only be read: run `fendex upgrade " + path + "` first");
    }
    return connection;
}

void settle_log(const std::string& path) {
    if (!log_has_content(path)) return;
    try {
        const Connection closed_at_once(path, Connection::Mode::kReadOnly);
    } catch (const StoreError&) {
        // Ignored: the next reader or writer will report what is wrong.
    }
}

}  // namespace fendex::store
