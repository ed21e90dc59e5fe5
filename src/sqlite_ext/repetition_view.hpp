// `repetition` with what follows from its game: FEN, EPD, who could claim, how long it went on. A
// virtual table could not stand before the stored table of that name; a view in schema temp does
// (schema/extension.sql).
#pragma once

struct sqlite3;

namespace fendex::sqlite_ext {

/// Does nothing where main is no fendex database, or where not even temp may be written to
/// (PRAGMA query_only): then `repetition` is the stored table.
void add_repetition_view(sqlite3* db);

}  // namespace fendex::sqlite_ext
