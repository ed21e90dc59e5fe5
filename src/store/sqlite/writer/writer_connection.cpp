#include "store/sqlite/writer/writer_connection.hpp"

#include <filesystem>
#include <thread>

#include "schema_sql.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

namespace {

void create_database(Connection& connection) {
    connection.run("PRAGMA page_size = " + std::to_string(kPageSize));
    connection.run("BEGIN IMMEDIATE");
    // Another process may have created the tables meanwhile.
    if (connection.integer("PRAGMA user_version").value_or(0) == 0) {
        connection.run("PRAGMA application_id = " + std::to_string(kApplicationId));
        connection.run("PRAGMA user_version = " + std::to_string(kFormatVersion));
        connection.run(sql::kSchemaSql);
    }
    connection.run("COMMIT");
}

/// Returns whether the file is empty, or has only what was written by a process that was killed
/// while creating it.
bool is_empty(const std::string& path) {
    if (!std::filesystem::is_regular_file(path)) return false;
    if (std::filesystem::file_size(path) == 0) return true;
    if (!std::filesystem::exists(path + "-journal")) return false;
    return Connection(path, Connection::Mode::kReadWrite).integer("PRAGMA page_count") == 0;
}

Connection open_or_create(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error) || is_empty(path)) {
        Connection connection(path, Connection::Mode::kCreate);
        create_database(connection);
    }
    return open_database(path, Connection::Mode::kReadWrite);
}

}  // namespace

/// While SQLite waits for the last reader, no other reader can begin. So this waits only for short
/// times, with pauses between them: a server that has one long request can answer others then.
void use_log(Connection& connection, std::chrono::milliseconds wait) {
    using std::chrono::milliseconds;
    constexpr milliseconds kWait{20};
    constexpr milliseconds kPause{80};
    if (connection.text("PRAGMA journal_mode") == "wal") return;
    connection.run("PRAGMA busy_timeout = " + std::to_string(kWait.count()));
    for (milliseconds waited{0};; waited += kWait + kPause) {
        try {
            connection.text("PRAGMA journal_mode = WAL");
            break;
        } catch (const StoreError& error) {
            if (error.kind() != StoreError::kBusy) throw;
        }
        if (waited >= wait) {
            throw StoreError(StoreError::kBusy,
                             connection.path() +
                                 ": another program is reading it. The first write after an "
                                 "earlier fendex needs the database alone for a moment: try again "
                                 "when the other program has ended");
        }
        std::this_thread::sleep_for(kPause);
    }
    connection.run("PRAGMA busy_timeout = " + std::to_string(kBusyTimeoutMs));
}

Connection open_for_writing(const std::string& path) {
    Connection connection = open_or_create(path);
    use_log(connection);
    // In WAL mode, this makes every commit durable, even if the process is killed or the power
    // fails.
    connection.run("PRAGMA synchronous = FULL");
    // If the log has grown during a long read, it is cut to this size later.
    connection.integer("PRAGMA journal_size_limit = 67108864");
    connection.run("PRAGMA cache_size = -16384");
    // By default Debian's SQLite overwrites deleted data with zeros, so replaced segments would be
    // written once more.
    connection.integer("PRAGMA secure_delete = FAST");
    return connection;
}

}  // namespace fendex::store
