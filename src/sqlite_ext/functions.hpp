// The scalar functions of positions (fen_key, fen_epd, fen_convert, fen_valid, fen_board) and
// iso_date. They are deterministic and have no side effects, so indexes and views may use them. If
// an argument is NULL, the result is NULL.
#pragma once

struct sqlite3;

namespace fendex::sqlite_ext {

/// Throws StoreError if SQLite refuses.
void register_functions(sqlite3* db);

}  // namespace fendex::sqlite_ext
