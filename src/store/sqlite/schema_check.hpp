// A database file may come from anywhere. Its tables must be the ones of schema/*.sql, and nothing
// in it may act by itself when they are read or written: no trigger, no view or virtual table in a
// table's place, no generated column, no index that computes. Tables, views and plain indexes of
// others beside ours are left alone.
#pragma once

#include "store/sqlite/connection.hpp"

namespace fendex::store {

/// Throws StoreError that names what is not as connection.format() has it.
void require_schema(Connection& connection);

}  // namespace fendex::store
