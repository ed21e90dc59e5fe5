// Checks the schema of a database file, which may come from anywhere. Its tables must be those of
// schema/*.sql. It must not contain anything that runs when they are read or written: triggers,
// views or virtual tables instead of a table, generated columns, indexes on expressions. Additional
// tables, views and plain indexes are allowed.
#pragma once

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// The tables that formats before kCodesFormat do not have.
inline constexpr const char* kCodeTables[] = {"game_players", "game_names"};

/// Throws StoreError that names a difference from the schema of connection.format().
void require_schema(Connection& connection);

}  // namespace fendex::store
