// A thin, typed layer over SQLite's C interface: connections, statements, errors as exceptions. A
// connection is for one thread at a time, or for those that hold its mutex. It is opened here, or
// borrowed from the program that has loaded the extension. Statements on a borrowed connection must
// be destroyed before it is closed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/brief_mutex.hpp"
#include "store/sqlite/file/opened_file.hpp"
#include "store/store_error.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace fendex::store {

struct CloseConnection {
    bool owned = true;
    bool empties_log = false;  // as Connection::Mode::kReadOnly does
    void operator()(sqlite3* db) const;
};

/// How long a connection waits for locks of other connections.
inline constexpr int kBusyTimeoutMs = 30'000;

struct DataVersion {
    unsigned commits = 0;
    int changes = 0;  // made by this connection

    bool operator==(const DataVersion&) const = default;
};

class Connection {
  public:
    enum class Mode {
        /// For statements that do not write; SQLite refuses others. If this process may write the
        /// database, the file is still opened for writing: only then does SQLite remove the log
        /// with the last connection. A connection that is not the last one empties the log when it
        /// is closed, if no other needs it and none writes. If no log can be shared, only the file
        /// is read.
        kReadOnly,
        kReadWrite,
        kCreate
    };

    /// Throws StoreError at once if the path leads to something that is not a regular file.
    Connection(const std::string& path, Mode mode);
    /// Uses a connection that others have opened and will close. Does not change its settings.
    explicit Connection(sqlite3* borrowed);

    sqlite3* handle() const { return db_.get(); }
    const std::string& path() const { return path_; }
    /// Threads that share the connection hold it while they use a statement.
    base::BriefMutex& mutex() const { return *mutex_; }
    /// Returns the version of fendex's format that the database has, after require_fendex() has
    /// read it.
    std::int64_t format() const { return format_; }
    void set_format(std::int64_t format) { format_ = format; }
    /// Runs statements that return nothing.
    void run(std::string_view sql) const;
    /// Returns the first column of the first row; empty if there is no row.
    std::optional<std::int64_t> integer(std::string_view sql) const;
    std::optional<std::string> text(std::string_view sql) const;
    /// Returns that column as a count; 0 if there is no row.
    std::uint64_t number(std::string_view sql) const;
    /// Returns a value that changes when the database changes for this connection: with commits of
    /// others before its transaction or statement began, and with its own changes.
    [[nodiscard]] DataVersion data_version() const;
    /// Sets SQLite's cache_size, if that succeeds.
    void limit_pages(std::int64_t size) const noexcept;
    /// Returns the number of rows that the last statement inserted, changed or deleted.
    std::uint64_t changes() const;
    /// Returns the id of the row that was inserted last.
    std::int64_t last_inserted_id() const;
    [[noreturn]] void fail(std::string_view doing) const;
    /// Throws a DamageError that names the file.
    [[noreturn]] void throw_damaged(const std::string& what) const;
    /// Like throw_damaged(), with the advice to repair the database.
    [[noreturn]] void throw_to_repair(const std::string& what) const;
    /// Returns SQLite's message for the last failure.
    std::string last_error() const;
    /// Returns whether the last failure was because the file is not a SQLite database.
    bool is_no_database() const;
    /// Returns whether there are commits that this connection cannot see because they are later
    /// than its opening. That happens only if the file alone is read.
    [[nodiscard]] bool is_outdated() const;
    /// Throws StoreError if the file alone is read and has been written since it was opened: the
    /// data that were read may be a mixture of two states.
    void require_unwritten() const {
        if (alone_) require_unwritten_file();
    }

  private:
    void open(const std::string& name, int flags);
    void open_to_read();
    bool must_read_alone(bool may_write);
    void require_unwritten_file() const;

    std::string path_;
    std::unique_ptr<base::BriefMutex> mutex_ = std::make_unique<base::BriefMutex>();
    std::int64_t format_ = 0;
    std::shared_ptr<const FileState> log_share_;  // released after the connection is closed
    std::optional<OpenedFile> alone_;             // if the file alone is read
    std::unique_ptr<sqlite3, CloseConnection> db_;
};

/// Returns the same 64 bits as a signed number: SQLite's integers are signed.
constexpr std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

enum class ValueType { kNull, kInteger, kReal, kText, kBlob };

/// A value of a row. Only the member for its type is set.
struct RowValue {
    ValueType type = ValueType::kNull;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view bytes;  // of text or a blob

    static RowValue of_number(std::int64_t number) { return {ValueType::kInteger, number, 0, {}}; }
    static RowValue of_text(std::string_view text) { return {ValueType::kText, 0, 0, text}; }
    static RowValue of_blob(std::string_view blob) { return {ValueType::kBlob, 0, 0, blob}; }
};

/// Bytes that are bound as a blob.
struct Blob {
    std::string_view bytes;
};

/// Returns no value, which is bound as NULL, for an empty text.
inline std::optional<std::string_view> text_or_null(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}
inline std::optional<Blob> blob_or_null(std::string_view bytes) {
    return bytes.empty() ? std::nullopt : std::optional(Blob{bytes});
}

/// A prepared statement, which can be used repeatedly: bind, step, reset.
class Statement {
  public:
    Statement(const Connection& connection, std::string_view sql);
    /// Removes the first statement from a script and returns it; empty if only blanks and comments
    /// are left. The script must not contain NUL.
    static std::optional<Statement> first_of(const Connection& connection,
                                             std::string_view& script);

    // Bound text and blobs must live until reset(). Columns count from 1.
    void bind(int column, std::int64_t value);
    void bind(int column, std::string_view text);
    void bind(int column, Blob blob);
    void bind_null(int column);
    void bind(int column, const RowValue& value);
    template <typename Value>
    void bind(int column, const std::optional<Value>& value) {
        if (!value) return bind_null(column);
        if constexpr (std::is_arithmetic_v<Value>) {
            bind(column, static_cast<std::int64_t>(*value));
        } else {
            bind(column, *value);
        }
    }

    bool step();  // returns whether there is a row; resets after a failure
    void reset();
    /// Binds values to the columns from the first on.
    template <typename... Values>
    void bind_all(const Values&... values) {
        int column = 0;
        (bind(++column, values), ...);
    }
    /// Binds values to the columns from the first on, and runs the statement.
    template <typename... Values>
    void run(const Values&... values) {
        bind_all(values...);
        step();
        reset();
    }

    /// Returns the number of columns; 0 for a statement that returns no rows.
    int column_count() const;
    std::string_view column_name(int column) const;

    // Columns of the current row count from 0; views live until the next step or reset.
    ValueType type(int column) const;
    /// Returns type and value; cheaper than two calls.
    RowValue value(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string_view text(int column) const;
    std::string_view blob(int column) const;
    bool is_null(int column) const;
    bool is_integer(int column) const;

  private:
    Statement(const Connection& connection, sqlite3_stmt* statement)
        : connection_(&connection), statement_(statement) {}
    void require(int result) const;
    std::string_view bytes(const void* begin, int size) const;

    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    const Connection* connection_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// Checks that the ids that a query returns ascend, as its ORDER BY demands. In a damaged file they
/// may not, and a loop that continues after the last id would never end.
class AscendingIds {
  public:
    /// Expects ids from `first` on, each once.
    AscendingIds(const Connection& connection, std::string_view table, std::int64_t first)
        : connection_(&connection), table_(table), next_(first) {}

    /// Throws StoreError for an id that does not come next.
    void require_next(std::int64_t id) {
        if (is_over_ || id < next_) fail();
        is_over_ = id == INT64_MAX;
        if (!is_over_) next_ = id + 1;
    }

  private:
    [[noreturn]] void fail() const;

    const Connection* connection_;
    std::string_view table_;
    std::int64_t next_;
    bool is_over_ = false;
};

/// Binds values, and resets the statement at the end of a scope, also after an exception. Otherwise
/// the open statement would keep its locks and its bound values.
class ResetAtEnd {
  public:
    template <typename... Values>
    explicit ResetAtEnd(Statement& statement, const Values&... values) : statement_(statement) {
        statement.bind_all(values...);
    }
    ~ResetAtEnd() { statement_.reset(); }
    ResetAtEnd(const ResetAtEnd&) = delete;
    ResetAtEnd& operator=(const ResetAtEnd&) = delete;

  private:
    Statement& statement_;
};

}  // namespace fendex::store
