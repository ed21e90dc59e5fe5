#include "store/sqlite/file/only_reading.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/database_files.hpp"

namespace fendex::store {

namespace {

/// Pragmas that only read. An argument names what to read.
constexpr std::string_view kQuestions[] = {
    "collation_list", "compile_options", "database_list",    "foreign_key_check",
    "function_list",  "index_info",      "foreign_key_list", "index_list",
    "index_xinfo",    "integrity_check", "module_list",      "pragma_list",
    "quick_check",    "table_info",      "table_list",       "table_xinfo",
};
/// Pragmas that read if they have no argument.
constexpr std::string_view kProperties[] = {
    "application_id", "auto_vacuum", "data_version", "encoding",       "freelist_count",
    "journal_mode",   "page_count",  "page_size",    "schema_version", "user_version",
};
/// Pragmas that change this connection and nothing that is stored.
constexpr std::string_view kSettings[] = {"cache_size", "case_sensitive_like", "temp_store"};

template <std::size_t kCount>
bool has_name(const std::string_view (&names)[kCount], const std::string& name) {
    return std::any_of(std::begin(names), std::end(names), [&](std::string_view each) {
        return sqlite3_stricmp(each.data(), name.c_str()) == 0;
    });
}

}  // namespace

OnlyReading::OnlyReading(const Connection& connection) : connection_(connection) {
    if (sqlite3_set_authorizer(connection.handle(), authorize, this) != SQLITE_OK) {
        connection.fail("cannot be restricted to reading");
    }
}

OnlyReading::~OnlyReading() { sqlite3_set_authorizer(connection_.handle(), nullptr, nullptr); }

std::string OnlyReading::refusal() const {
    const bool refused = (sqlite3_errcode(connection_.handle()) & 0xFF) == SQLITE_AUTH;
    return refused ? why_ : std::string();
}

int OnlyReading::authorize(void* self, int code, const char* first, const char* second,
                           const char* database, const char* /*origin*/) {
    const auto text = [](const char* given) {
        return given != nullptr ? std::string_view(given) : std::string_view();
    };
    try {
        return static_cast<OnlyReading*>(self)->allows(
                   {code, text(first), text(second), text(database)})
                   ? SQLITE_OK
                   : SQLITE_DENY;
    } catch (...) {
        return SQLITE_DENY;
    }
}

bool OnlyReading::allows(const Action& action) {
    switch (action.code) {
        case SQLITE_SELECT:
        case SQLITE_READ:
        case SQLITE_RECURSIVE:
        case SQLITE_TRANSACTION:
        case SQLITE_SAVEPOINT:
        case SQLITE_DETACH:
        case SQLITE_CREATE_TEMP_INDEX:
        case SQLITE_CREATE_TEMP_TABLE:
        case SQLITE_CREATE_TEMP_TRIGGER:
        case SQLITE_CREATE_TEMP_VIEW:
        case SQLITE_DROP_TEMP_INDEX:
        case SQLITE_DROP_TEMP_TABLE:
        case SQLITE_DROP_TEMP_TRIGGER:
        case SQLITE_DROP_TEMP_VIEW: return true;
        // SQLite's own message names the function.
        case SQLITE_FUNCTION: return action.second != "load_extension";
        case SQLITE_PRAGMA: return allows_pragma(action);
        case SQLITE_ATTACH: return allows_attaching(action.first);
        case SQLITE_ALTER_TABLE:
            return action.first == "temp" ||
                   refuse("table '" + std::string(action.second) + "' is not changed");
        case SQLITE_UPDATE:
            // A virtual table that declares its columns needs this. SQL itself cannot do it.
            if (action.first == "sqlite_master") return true;
            [[fallthrough]];
        default:
            return action.database == "temp" ||
                   refuse("'" + std::string(action.first) + "' is not changed");
    }
}

bool OnlyReading::allows_pragma(const Action& action) {
    const std::string name(action.first);
    if (has_name(kQuestions, name) || has_name(kSettings, name)) return true;
    if (action.second.data() == nullptr && has_name(kProperties, name)) return true;
    return refuse("PRAGMA " + name + " is refused");
}

bool OnlyReading::allows_attaching(std::string_view path) {
    // SQLite passes no name if the name is an expression.
    if (path.data() == nullptr) {
        return refuse("ATTACH takes the name of a database file as a literal");
    }
    const std::string name(path);
    try {
        require_regular_files(name);
    } catch (const StoreError& error) {
        return refuse(error.what());
    }
    // VACUUM INTO attaches the file that it will write, which is new or empty.
    std::error_code error;
    const auto bytes = std::filesystem::file_size(name, error);
    return (!error && bytes != 0) ||
           refuse("there is no database '" + name +
                  "' to attach, and none is written: to copy a database, use 'fendex backup'");
}

/// Notes the reason of a refusal. Returns false.
bool OnlyReading::refuse(const std::string& what) {
    why_ = "this SQL can only read, apart from temporary tables: " + what;
    return false;
}

}  // namespace fendex::store
