// Restricts a connection to SQL that only reads, for SQL that users type. Opening it for reading is
// not enough: VACUUM INTO writes a file even so.
#pragma once

#include <string>
#include <string_view>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// As long as it exists, the connection refuses all SQL that is not known to only read. Temporary
/// tables, views and triggers can be created and changed. Existing databases can be attached:
/// SQLite opens them in the mode of the connection. For the thread of the connection.
class OnlyReading {
  public:
    /// The connection should be opened for reading, and must outlive this object.
    explicit OnlyReading(const Connection& connection);
    ~OnlyReading();
    OnlyReading(const OnlyReading&) = delete;
    OnlyReading& operator=(const OnlyReading&) = delete;

    /// Returns why the last statement was refused; empty if it failed for another reason.
    [[nodiscard]] std::string refusal() const;

  private:
    /// An action that SQLite wants to take: SQLite's number for it, and its two arguments.
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
