#include "store/sqlite/file/connection.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>

#include "base/error_text.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/database_files.hpp"

namespace fendex::store {

namespace {

/// Returns the URI by which SQLite reads only the file, without locks and without a log.
std::string immutable_uri(const std::string& path) {
    std::string uri = "file://";
    for (const char c : real_path(path)) {
        switch (c) {
            case '%': uri += "%25"; break;
            case '?': uri += "%3f"; break;
            case '#': uri += "%23"; break;
            default: uri += c;
        }
    }
    return uri + "?immutable=1";
}

/// Returns whether the file's mode is that with a log. Reads the file through SQLite, because
/// closing another descriptor of it would drop SQLite's locks.
bool has_log_mode(sqlite3* db) {
    constexpr sqlite3_int64 kReadVersionAt = 19;
    constexpr char kWithLog = 2;
    sqlite3_file* file = nullptr;
    char version = 0;
    return sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK &&
           file->pMethods != nullptr &&
           file->pMethods->xRead(file, &version, 1, kReadVersionAt) == SQLITE_OK &&
           version == kWithLog;
}

bool succeeds(sqlite3* db, const char* sql) {
    return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// Copies the log into the database and empties it, unless another connection needs it. Never
/// waits. If there is a writer, or if this fails, the log stays as it is.
void empty_log(sqlite3* db) noexcept {
    try {
        if (!log_has_content(sqlite3_db_filename(db, "main"))) return;
    } catch (const std::bad_alloc&) {
        return;
    }
    if (sqlite3_get_autocommit(db) == 0) succeeds(db, "ROLLBACK");
    if (succeeds(db, "PRAGMA busy_timeout = 0; PRAGMA query_only = OFF; BEGIN IMMEDIATE; COMMIT"))
        succeeds(db, "PRAGMA main.wal_checkpoint(TRUNCATE)");
}

/// Returns whether the disk failed when the database or its log was read. In that case SQLite
/// reports SQLITE_CORRUPT.
bool disk_has_failed(sqlite3* db) {
    for (const int which : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
        sqlite3_file* file = nullptr;
        if (sqlite3_file_control(db, "main", which, static_cast<void*>(&file)) != SQLITE_OK ||
            file == nullptr || file->pMethods == nullptr) {
            continue;
        }
        int error = 0;
        if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK &&
            error == EIO) {
            return true;
        }
    }
    return false;
}

/// Returns the errno that caused a result code; 0 if there is none.
int system_error(sqlite3* db, int code, const std::string& path) {
    if (code == SQLITE_CORRUPT) return disk_has_failed(db) ? EIO : 0;
    const auto denied = [](const std::string& file) {
        return ::access(file.c_str(), W_OK) != 0 ? errno : 0;
    };
    if (code == SQLITE_READONLY) return denied(path) == ENOENT ? 0 : denied(path);
    if (code != SQLITE_IOERR && code != SQLITE_CANTOPEN) return 0;
    const int error = sqlite3_system_errno(db);
    if (error == 0 && sqlite3_extended_errcode(db) == SQLITE_IOERR_WRITE) {
        // SQLite does not report the errno here. Most likely the file has reached a size limit.
        rlimit limit{};
        return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? EFBIG
                                                                                         : 0;
    }
    if (code == SQLITE_IOERR || error != ENOENT) return error;
    // If SQLite may not create a file, it reports the file as missing.
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const int reason = denied(folder.empty() ? "." : folder.string());
    return reason == 0 ? error : reason;
}

StoreError::Kind kind_of(int code, int error) {
    switch (code) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED: return StoreError::kBusy;
        case SQLITE_CORRUPT: return error == 0 ? StoreError::kDamaged : StoreError::kOther;
        // Such a long row was never written.
        case SQLITE_TOOBIG: return StoreError::kDamaged;
        case SQLITE_NOTADB: return StoreError::kNotADatabase;
        case SQLITE_FULL: return StoreError::kFull;
        default: break;
    }
    if (error == ENOENT) return StoreError::kAbsent;
    return error == ENOSPC ? StoreError::kFull : StoreError::kOther;
}

}  // namespace

void CloseConnection::operator()(sqlite3* db) const {
    if (empties_log) empty_log(db);
    if (owned) sqlite3_close_v2(db);
}

Connection::Connection(const std::string& path, Mode mode) : path_(path) {
    require_regular_files(path);
    switch (mode) {
        case Mode::kReadOnly: open_to_read(); break;
        case Mode::kReadWrite: open(path, SQLITE_OPEN_READWRITE); break;
        case Mode::kCreate: open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE); break;
    }
}

void Connection::open(const std::string& name, int flags) {
    sqlite3* db = nullptr;
    const int rc = sqlite3_open_v2(name.c_str(), &db, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    db_.reset(db);
    if (rc != SQLITE_OK) fail("cannot open");
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, kBusyTimeoutMs);
    // The file may come from anywhere. So nothing in it may call functions, and its cells are
    // checked.
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    run("PRAGMA cell_size_check = ON");
}

void Connection::open_to_read() {
    const bool may_write = can_write_beside(path_);
    log_share_ = share_log(path_);
    if (log_share_) {
        open(path_, may_write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
        if (!must_read_alone(may_write)) {
            if (may_write) {
                run("PRAGMA query_only = ON");
                db_.get_deleter().empties_log = true;
            }
            return;
        }
        log_share_.reset();
    }
    // The order matters. A writer that began before this has left files beside the database; one
    // that begins later changes the state that alone_ has recorded.
    db_.reset();
    alone_.emplace(path_);
    open(immutable_uri(path_), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    if (is_whole(path_)) return;
    alone_.reset();
    open(path_, SQLITE_OPEN_READONLY);
}

/// Returns whether no log can be shared and the file alone is complete. Tries to read to find out.
bool Connection::must_read_alone(bool may_write) {
    if (!may_write && has_log_mode(handle()) && is_whole(path_) && !has_log(path_)) {
        // SQLite would fail, or create files that a writer could not write.
        return true;
    }
    if (succeeds(handle(), "PRAGMA main.user_version")) return false;
    switch (sqlite3_extended_errcode(handle())) {
        case SQLITE_CANTOPEN:
        case SQLITE_IOERR_SHMOPEN:
        case SQLITE_IOERR_SHMSIZE:
        case SQLITE_IOERR_SHMLOCK:
        case SQLITE_IOERR_SHMMAP: return is_whole(path_);
        default: return false;  // the first read will report the error
    }
}

Connection::Connection(sqlite3* borrowed) : db_(borrowed, CloseConnection{.owned = false}) {
    const char* path = sqlite3_db_filename(borrowed, "main");
    path_ = path != nullptr && *path != 0 ? path : "this database";
}

void Connection::run(std::string_view sql) const {
    if (sqlite3_exec(handle(), std::string(sql).c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        fail("cannot execute");
    }
}

std::optional<std::int64_t> Connection::integer(std::string_view sql) const {
    Statement statement(*this, sql);
    if (!statement.step() || statement.is_null(0)) return std::nullopt;
    return statement.integer(0);
}

std::optional<std::string> Connection::text(std::string_view sql) const {
    Statement statement(*this, sql);
    if (!statement.step() || statement.is_null(0)) return std::nullopt;
    return std::string(statement.text(0));
}

std::uint64_t Connection::number(std::string_view sql) const {
    return static_cast<std::uint64_t>(integer(sql).value_or(0));
}

DataVersion Connection::data_version() const {
    DataVersion version;
    if (sqlite3_file_control(handle(), "main", SQLITE_FCNTL_DATA_VERSION, &version.commits) !=
        SQLITE_OK) {
        fail("cannot read the data version");
    }
    version.changes = sqlite3_total_changes(handle());
    return version;
}

void Connection::limit_pages(std::int64_t size) const noexcept {
    constexpr std::size_t kLongest = 48;
    char sql[kLongest];
    static_cast<void>(
        std::snprintf(sql, sizeof sql, "PRAGMA cache_size = %lld", static_cast<long long>(size)));
    succeeds(handle(), sql);
}

std::uint64_t Connection::changes() const {
    return static_cast<std::uint64_t>(sqlite3_changes(handle()));
}

std::int64_t Connection::last_inserted_id() const { return sqlite3_last_insert_rowid(db_.get()); }

void Connection::fail(std::string_view doing) const {
    if (db_ && (sqlite3_errcode(handle()) & 0xFF) == SQLITE_INTERRUPT) throw Interrupted();
    require_unwritten();
    std::string message = path_ + ": " + std::string(doing) + ": ";
    const int code = db_ ? sqlite3_errcode(handle()) & 0xFF : SQLITE_NOMEM;
    // SQLite's message is short; the system may have a better one.
    const int error = db_ ? system_error(handle(), code, path_) : 0;
    const bool is_unread = code == SQLITE_CORRUPT && error != 0;
    message += is_unread ? "the disk cannot be read"
               : db_     ? sqlite3_errmsg(handle())
                         : "out of memory";
    if (error != 0) message += " (" + base::error_text(error) + ")";
    message += advice_on_space(code == SQLITE_FULL ? ENOSPC : error);
    if (code == SQLITE_BUSY) message += " by another program; try again when that has ended";
    const StoreError::Kind kind = kind_of(code, error);
    if (kind == StoreError::kDamaged) throw MalformedFileError(message);
    throw StoreError(kind, message);
}

void Connection::throw_damaged(const std::string& what) const {
    throw DamageError(path_ + ": damaged: " + what);
}

void Connection::throw_to_repair(const std::string& what) const {
    throw_damaged(what + "; run `fendex repair " + path_ + "`");
}

std::string Connection::last_error() const { return sqlite3_errmsg(handle()); }

bool Connection::is_no_database() const { return sqlite3_errcode(handle()) == SQLITE_NOTADB; }

bool Connection::is_outdated() const {
    return alone_ && (alone_->is_written() || !is_whole(path_));
}

void Connection::require_unwritten_file() const {
    if (!alone_->is_written()) return;
    throw StoreError(StoreError::kBusy,
                     path_ +
                         ": another program has written it while it was read without permission to "
                         "write beside it: try again");
}

void AscendingIds::fail() const {
    connection_->throw_damaged("the rows of table " + std::string(table_) + " are not in order");
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(const Connection& connection, std::string_view sql)
    : connection_(&connection) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v3(connection.handle(), sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) {
        connection.fail("cannot read");
    }
    statement_.reset(statement);
}

std::optional<Statement> Statement::first_of(const Connection& connection,
                                             std::string_view& script) {
    while (!script.empty()) {
        sqlite3_stmt* statement = nullptr;
        const char* rest = nullptr;
        if (sqlite3_prepare_v3(connection.handle(), script.data(), static_cast<int>(script.size()),
                               0, &statement, &rest) != SQLITE_OK) {
            connection.fail("cannot read");
        }
        script.remove_prefix(static_cast<std::size_t>(rest - script.data()));
        if (statement != nullptr) return Statement(connection, statement);
    }
    return std::nullopt;
}

void Statement::require(int result) const {
    if (result != SQLITE_OK) connection_->fail("cannot bind a value");
}

void Statement::bind(int column, std::int64_t value) {
    require(sqlite3_bind_int64(statement_.get(), column, value));
}

void Statement::bind(int column, std::string_view text) {
    // Not a null pointer, which would bind NULL instead of an empty text.
    require(sqlite3_bind_text64(statement_.get(), column, text.data() != nullptr ? text.data() : "",
                                text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int column, Blob blob) {
    require(sqlite3_bind_blob64(statement_.get(), column,
                                blob.bytes.data() != nullptr ? blob.bytes.data() : "",
                                blob.bytes.size(), SQLITE_STATIC));
}

void Statement::bind_null(int column) { require(sqlite3_bind_null(statement_.get(), column)); }

void Statement::bind(int column, const RowValue& value) {
    switch (value.type) {
        case ValueType::kNull: return bind_null(column);
        case ValueType::kInteger: return bind(column, value.integer);
        case ValueType::kReal:
            return require(sqlite3_bind_double(statement_.get(), column, value.real));
        case ValueType::kText: return bind(column, value.bytes);
        case ValueType::kBlob: return bind(column, Blob{value.bytes});
    }
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW || code == SQLITE_DONE) {
        connection_->require_unwritten();
        return code == SQLITE_ROW;
    }
    // Resets, so that values can be bound again. SQLite's error message stays.
    reset();
    connection_->fail("cannot read or write");
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

int Statement::column_count() const { return sqlite3_column_count(statement_.get()); }

std::string_view Statement::column_name(int column) const {
    const char* name = sqlite3_column_name(statement_.get(), column);
    if (name == nullptr) throw std::bad_alloc();
    return name;
}

ValueType Statement::type(int column) const { return value(column).type; }

/// Returns the bytes of a text or blob. SQLite returns a null pointer for NULL and for an empty
/// blob, but also if it has no memory. In the last case this throws.
std::string_view Statement::bytes(const void* begin, int size) const {
    if (begin != nullptr) {
        return {static_cast<const char*>(begin), static_cast<std::size_t>(size)};
    }
    if ((sqlite3_errcode(connection_->handle()) & 0xFF) == SQLITE_NOMEM) {
        connection_->fail("cannot read");
    }
    return "";
}

RowValue Statement::value(int column) const {
    sqlite3_value* const value = sqlite3_column_value(statement_.get(), column);
    const auto bytes_of = [&](const void* begin) {
        return bytes(begin, sqlite3_value_bytes(value));
    };
    switch (sqlite3_value_type(value)) {
        case SQLITE_INTEGER: return RowValue::of_number(sqlite3_value_int64(value));
        case SQLITE_FLOAT: return {ValueType::kReal, 0, sqlite3_value_double(value), {}};
        case SQLITE_TEXT: return RowValue::of_text(bytes_of(sqlite3_value_text(value)));
        case SQLITE_BLOB: return RowValue::of_blob(bytes_of(sqlite3_value_blob(value)));
        default: return {};
    }
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string_view Statement::text(int column) const {
    const void* const text = sqlite3_column_text(statement_.get(), column);
    return bytes(text, sqlite3_column_bytes(statement_.get(), column));
}

std::string_view Statement::blob(int column) const {
    const void* const blob = sqlite3_column_blob(statement_.get(), column);
    return bytes(blob, sqlite3_column_bytes(statement_.get(), column));
}

bool Statement::is_null(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool Statement::is_integer(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER;
}

}  // namespace fendex::store
