// The scalar functions: fen_key, fen_epd, fen_convert, fen_valid, fen_board. Deterministic, and
// without side effects, so that indexes and views may use them. NULL gives NULL.
#pragma once

struct sqlite3;

namespace fendex::sqlite_ext {

/// Throws StoreError where SQLite refuses.
void register_functions(sqlite3* db);

}  // namespace fendex::sqlite_ext
