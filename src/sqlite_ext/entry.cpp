// The entry point of fendex.so: `.load fendex` in SQLite's shell, load_extension() elsewhere.
#define FENDEX_SQLITE_EXTENSION_ENTRY
#include <exception>

#include "sqlite_ext/extension.hpp"
#include "store/sqlite/file/api.hpp"

SQLITE_EXTENSION_INIT1

namespace {

/// The oldest SQLite that has everything used here.
constexpr int kOldestSqlite = 3'031'000;

}  // namespace

extern "C" __attribute__((visibility("default"))) int sqlite3_fendex_init(
    sqlite3* db, char** error, const sqlite3_api_routines* api) {
    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < kOldestSqlite) {
        *error =
            sqlite3_mprintf("fendex needs SQLite 3.31 or later, this is %s", sqlite3_libversion());
        return SQLITE_ERROR;
    }
    try {
        fendex::sqlite_ext::register_extension(db);
        return SQLITE_OK;
    } catch (const std::exception& problem) {
        *error = sqlite3_mprintf("%s", problem.what());
        return SQLITE_ERROR;
    }
}
