// The SQL extension of a connection: scalar functions of FENs, the virtual tables `ply`, `reached`,
// `tree`, `annotation_ply` and `evaluation`, and a view `repetition` with more columns. All work
// through the connection in which they are registered, inside its statements and snapshots, and
// only read.
#pragma once

struct sqlite3;

namespace fendex::sqlite_ext {

/// Throws StoreError if SQLite refuses. The connection's main database need not be a fendex
/// database: the functions work with any; the tables report what is missing when they are used.
void register_extension(sqlite3* db);

}  // namespace fendex::sqlite_ext
