// View `repetition`: the stored table with columns that follow from its games: FEN, EPD, who could
// claim, how long the game went on. A virtual table cannot hide a stored table of the same name; a
// view in schema temp can (schema/extension.sql).
#pragma once

struct sqlite3;

namespace fendex::sqlite_ext {

/// Does nothing if main is not a fendex database, or if even temp is read-only (PRAGMA query_only):
/// then `repetition` is the stored table.
void add_repetition_view(sqlite3* db);

}  // namespace fendex::sqlite_ext
