// Restricts a connection to SQL that reads, for SQL that users type. SQLite itself is not enough:
// VACUUM INTO writes a file through a connection that was opened for reading.
#pragma once

#include <string>
#include <string_view>

#include "store/sqlite/connection.hpp"

namespace fendex::store {

/// As long as it exists, the connection refuses what is not known to read. Temporary tables, views
/// and triggers may be made and changed, and existing databases may be attached: SQLite opens them
/// as it opened the connection. For the thread of the connection.
class OnlyReading {
  public:
    /// The connection, which must outlive it, should have been opened for reading.
    explicit OnlyReading(const Connection& connection);
    ~OnlyReading();
    OnlyReading(const OnlyReading&) = delete;
    OnlyReading& operator=(const OnlyReading&) = delete;

    /// Returns why the last statement was refused; empty if it failed for another reason.
    [[nodiscard]] std::string refusal() const;

  private:
    /// What SQLite is about to do, with SQLite's number for it and its two arguments.
    struct Action {
        int code;
        std::string_view first;
        std::string_view second;
        std::string_view database;
    };
    static int authorize(void* self, int code, const char* first, const char* second,
                         const char* database, const char* origin);
    bool allows(const Action& action);
    bool allows_pragma(const Action& action);
    bool allows_attaching(std::string_view path);
    bool refuse(const std::string& what);

    const Connection& connection_;
    std::string why_;
};

}  // namespace fendex::store
