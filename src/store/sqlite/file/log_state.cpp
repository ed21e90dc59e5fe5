#include "store/sqlite/file/log_state.hpp"

#include <atomic>

#include "store/sqlite/file/api.hpp"

namespace fendex::store {

namespace {

/// SQLite maps the shared memory in regions of this size.
constexpr int kRegionBytes = 32'768;
/// Place of a byte that is not 0 if the description is valid.
constexpr std::size_t kIsInitialized = 12;

LogState copy_of(const volatile std::byte* from) {
    LogState state;
    for (std::size_t i = 0; i < state.size(); ++i) state[i] = from[i];
    return state;
}

}  // namespace

bool shares_log(Connection& connection) {
    const char* const path = sqlite3_db_filename(connection.handle(), "main");
    return path != nullptr && sqlite3_uri_boolean(path, "immutable", 0) == 0 &&
           connection.text("PRAGMA main.journal_mode") == "wal";
}

std::optional<LogState> log_state(const Connection& connection) {
    sqlite3* const db = connection.handle();
    if (sqlite3_get_autocommit(db) != 0) return std::nullopt;
    sqlite3_file* file = nullptr;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file)) !=
            SQLITE_OK ||
        file == nullptr || file->pMethods == nullptr || file->pMethods->iVersion < 2) {
        return std::nullopt;
    }
    void volatile* region = nullptr;
    if (file->pMethods->xShmMap(file, 0, kRegionBytes, 0, &region) != SQLITE_OK ||
        region == nullptr) {
        return std::nullopt;
    }
    const auto* const bytes = static_cast<const volatile std::byte*>(region);
    // The description is there twice. A process that changes it writes the second copy first.
    const LogState first = copy_of(bytes);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const LogState second = copy_of(bytes + sizeof(LogState));
    if (first != second || first[kIsInitialized] == std::byte{0}) return std::nullopt;
    return first;
}

}  // namespace fendex::store
