#include "sqlite_ext/extension.hpp"

#include <memory>

#include "schema_sql.hpp"
#include "sqlite_ext/annotation_table.hpp"
#include "sqlite_ext/evaluation_functions.hpp"
#include "sqlite_ext/evaluation_table.hpp"
#include "sqlite_ext/functions.hpp"
#include "sqlite_ext/ply_table.hpp"
#include "sqlite_ext/reached_table.hpp"
#include "sqlite_ext/tree_table.hpp"
#include "sqlite_ext/virtual_table.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex::sqlite_ext {

namespace {

/// Hides a stored table `ply` with the virtual one. Both have the same rows, but stored rows are
/// found by game only, virtual ones by position too.
void put_before_stored_plies(sqlite3* db, const std::shared_ptr<SessionSlot>& slot) {
    if (sqlite3_table_column_metadata(db, "main", PlyTable::kName, nullptr, nullptr, nullptr,
                                      nullptr, nullptr, nullptr) != SQLITE_OK) {
        return;
    }
    try {
        SessionTable<PlyTable>::put_before_stored(db, slot);
    } catch (const store::StoreError& error) {
        // Perhaps it is another program's table `ply`.
        sqlite3_log(SQLITE_WARNING, "fendex: %s", error.what());
    }
}

/// Adds the view `repetition`: the stored table with columns that follow from its games. A virtual
/// table cannot hide a stored table of the same name; a view in schema temp can
/// (schema/extension.sql). The functions and tables are useful without it: main may be no fendex
/// database, and even temp read-only (PRAGMA query_only).

void add_repetition_view(sqlite3* db) {
    try {
        store::Connection connection(db);
        store::require_fendex(connection);
        connection.run(store::sql::kExtensionSql);
    } catch (const store::StoreError& error) {
        sqlite3_log(SQLITE_WARNING, "fendex: no view repetition: %s", error.what());
    }
}

}  // namespace

void register_extension(sqlite3* db) {
    register_functions(db);
    const auto slot = std::make_shared<SessionSlot>(db);
    // Must come first: after create() the eponymous table has this name, too.
    put_before_stored_plies(db, slot);
    SessionTable<PlyTable>::create(db, slot);
    SessionTable<ReachedTable>::create(db, slot);
    SessionTable<TreeTable>::create(db, slot);
    SessionTable<AnnotationTable>::create(db, slot);
    SessionTable<EvaluationTable>::create(db, slot);
    register_evaluation_functions(db, slot);
    add_repetition_view(db);
}

}  // namespace fendex::sqlite_ext
