#include "store/sqlite/writer/database_copy.hpp"

#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

struct FinishBackup {
    void operator()(sqlite3_backup* backup) const { sqlite3_backup_finish(backup); }
};

/// Pause between two steps, long enough for a waiting writer to get its lock.
constexpr auto kCopyPause = std::chrono::milliseconds(1);

/// A read transaction, so that writers do not change the pages to copy. It is held only in WAL
/// mode: in other modes it would block writers until the copy is done.
class Snapshot {
  public:
    explicit Snapshot(Connection& connection) : connection_(connection) {}
    ~Snapshot() {
        if (held_) sqlite3_exec(connection_.handle(), "COMMIT", nullptr, nullptr, nullptr);
    }
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    void hold_if_possible() {
        if (held_ || connection_.text("PRAGMA main.journal_mode") != "wal") return;
        connection_.run("BEGIN");
        held_ = true;
        connection_.integer("SELECT count(*) FROM main.sqlite_schema");
    }

  private:
    Connection& connection_;
    bool held_ = false;
};

}  // namespace

bool copy_pages(Connection& from, Connection& to, int pages_at_once,
                const std::function<bool(double share)>& go_on) {
    std::unique_ptr<sqlite3_backup, FinishBackup> backup(
        sqlite3_backup_init(to.handle(), "main", from.handle(), "main"));
    if (!backup) to.fail("cannot be written");
    double share = 0;
    int pages = 1;  // the first step is small: it takes the lock, and the last one commits
    while (go_on(share)) {
        const int rc = sqlite3_backup_step(backup.get(), pages);
        pages = pages_at_once;
        from.require_unwritten();
        if (rc == SQLITE_DONE) return true;
        if (rc != SQLITE_OK) {
            // Sets the error, even one of reading, on the connection `to`.
            backup.reset();
            to.fail("cannot copy '" + from.path() + "'");
        }
        const double remaining = sqlite3_backup_remaining(backup.get());
        share = 1 - remaining / sqlite3_backup_pagecount(backup.get());
    }
    return false;
}

bool copy_database(const std::string& from, const std::string& to, const CopyOptions& options) {
    Connection source = open_database(from, Connection::Mode::kReadOnly);
    Connection copy(to, Connection::Mode::kCreate);
    // No other process uses the file, so it needs no shared memory.
    copy.text("PRAGMA locking_mode = EXCLUSIVE");
    copy.run("PRAGMA synchronous = FULL");
    Snapshot snapshot(source);
    const bool done = copy_pages(source, copy, options.pages_at_once, [&](double share) {
        if (options.stop && options.stop()) return false;
        snapshot.hold_if_possible();
        if (options.progress) options.progress(share);
        std::this_thread::sleep_for(kCopyPause);
        return true;
    });
    if (!done) return false;
    copy.text("PRAGMA journal_mode = WAL");  // whatever the mode of the source
    return true;
}

bool overwrite_database(const std::string& database, const std::string& from,
                        const CopyOptions& options) {
    Connection source(from, Connection::Mode::kReadOnly);
    bool done = false;
    {
        Connection connection(database, Connection::Mode::kReadWrite);
        connection.run("PRAGMA synchronous = FULL");
        done = copy_pages(source, connection, options.pages_at_once, [&](double share) {
            if (options.progress) options.progress(share);
            return !options.stop || !options.stop();
        });
    }
    settle_log(database);
    return done;
}

bool looks_like_fendex(const std::string& path) {
    constexpr std::size_t kIdAt = 68;
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::array<char, kIdAt + 4> header{};
    std::ifstream file(path, std::ios::binary);
    if (!file.read(header.data(), header.size())) return false;
    std::uint32_t id = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        id = id << 8 | static_cast<unsigned char>(header[kIdAt + i]);
    }
    return std::string_view(header.data(), kMagic.size()) == kMagic && id == kApplicationId;
}

}  // namespace fendex::store
