#include "sqlite_ext/repetition_view.hpp"

#include "schema_sql.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex::sqlite_ext {

void add_repetition_view(sqlite3* db) {
    try {
        store::Connection connection(db);
        store::require_fendex(connection);
        connection.run(store::sql::kExtensionSql);
    } catch (const store::StoreError& error) {
        // The functions and tables are useful without the view.
        sqlite3_log(SQLITE_WARNING, "fendex: no view repetition: %s", error.what());
    }
}

}  // namespace fendex::sqlite_ext
