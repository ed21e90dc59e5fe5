// What fendex adds to SQL on a connection: scalar functions of FENs, the virtual tables `ply`,
// `reached`, `tree` and `annotation_ply`, and a fuller `repetition`. All of them work through the
// connection they are registered in, inside its statements and its snapshot, and only read.
#pragma once

struct sqlite3;

namespace fendex::sqlite_ext {

/// Throws StoreError where SQLite refuses. The connection's main database need not be fendex's: the
/// functions work everywhere, the tables say what is missing when they are used.
void register_extension(sqlite3* db);

}  // namespace fendex::sqlite_ext
