// The reader of a connection, shared by all virtual tables of that connection. It exists while at
// least one of them is connected, so its statements are gone when SQLite closes the connection.
#pragma once

#include <cstdint>
#include <memory>

#include "store/sqlite/reader/reader.hpp"

struct sqlite3;

namespace fendex::sqlite_ext {

class Session {
  public:
    /// Throws StoreError if main is not a fendex database.
    explicit Session(sqlite3* db) : reader_(store::open_sqlite_reader(db)) {}

    /// Returns the reader at the snapshot of the running statement.
    store::StoreReader& reader() {
        reader_->refresh();
        return *reader_;
    }

  private:
    std::unique_ptr<store::StoreReader> reader_;
};

/// Shared by the modules of a connection: the open session, if there is one.
class SessionSlot {
  public:
    explicit SessionSlot(sqlite3* db) : db_(db) {}

    sqlite3* db() const { return db_; }
    /// Returns whether a table is connected.
    bool is_open() const { return !open_.expired(); }
    std::shared_ptr<Session> session() {
        std::shared_ptr<Session> open = open_.lock();
        if (!open) {
            open = std::make_shared<Session>(db_);
            open_ = open;
        }
        return open;
    }

  private:
    sqlite3* db_;
    std::weak_ptr<Session> open_;
};

}  // namespace fendex::sqlite_ext
