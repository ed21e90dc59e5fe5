// SQL functions and tables of the extension, called with any values: each query gives rows or an
// error, and rows of a table must be right.
//
// The first byte chooses the query; its values follow, one per line: #12 is an integer, % is NULL,
// $ a blob, anything else text. Missing values are NULL.
#include <sqlite3.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "fuzz.hpp"
#include "ingest/importer.hpp"
#include "scratch.hpp"
#include "sqlite_ext/extension.hpp"
#include "support/damage_file.hpp"

namespace {

using namespace fendex;

constexpr const char* kQueries[] = {
    "SELECT iso_date(?1), fen_key(?1), fen_epd(?1), fen_board(?1), fen_valid(?1)",
    "SELECT fen_key(?1, ?2), fen_epd(?1, ?2), fen_board(?1, ?2), fen_valid(?1, ?2)",
    "SELECT fen_convert(?1, ?2)",
    "SELECT fen_convert(?1, ?2, ?3)",
    "SELECT * FROM reached(?1)",
    "SELECT * FROM reached(?1, ?2, ?3)",
    "SELECT * FROM reached WHERE fen = ?1 AND game_id = ?2 AND ply >= ?3",
    "SELECT * FROM tree(?1)",
    "SELECT * FROM tree(?1, ?2, ?3)",
    "SELECT * FROM ply WHERE game_id = ?1 AND ply BETWEEN ?2 AND ?3",
    "SELECT * FROM ply WHERE key = ?1 LIMIT 50",
    "SELECT * FROM ply WHERE fen = ?1 OR epd = ?2 LIMIT 5",
    "SELECT * FROM ply WHERE game_id >= ?1 AND ply = ?2 ORDER BY ply DESC LIMIT 20",
    "SELECT * FROM ply WHERE game_id IN (?1, ?2, ?3) AND key <> ?2",
    "SELECT * FROM annotation_ply WHERE game_id = ?1 AND ply > ?2",
    "SELECT * FROM repetition WHERE game_id = ?1 OR key = ?2",
    "SELECT * FROM evaluation(?1, ?2)",
    "SELECT * FROM evaluation WHERE key = ?1 OR fen = ?2 OR variant = ?3",
    "SELECT evaluation(?1), eval_cp(?1, ?2), eval_mate(?1), eval_depth(?1)",
};
/// This query must return no rows.
constexpr char kWrongRows[] =
    "SELECT * FROM reached(?1) r LEFT JOIN ply p USING (game_id, ply)"
    " WHERE p.epd IS NOT fen_epd(?1)";

struct CloseDatabase {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
};

sqlite3* database() {
    static const std::unique_ptr<sqlite3, CloseDatabase> db = [] {
        const std::string path = fuzz::scratch("sql.db");
        const std::string pgn = fuzz::scratch("sql.pgn");
        fuzz::write_all(pgn,
                        test::archive_with_everything(20) +
                            "[Variant \"Atomic\"]\n\n1. Nf3 {[%eval 0.3]} f6 $1 (1... e6) *\n");
        ingest::ImportOptions options{.ply_rows = ingest::PlyRowChoice::kNo};
        options.annotations = options.variations = true;
        const std::string epd = fuzz::scratch("sql.epd");
        fuzz::write_all(
            epd,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 25; pv e4 e5;\n"
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - variant atomic; dm 9;\n");
        ingest::import_files(path, {pgn, epd}, options);
        sqlite3* opened = nullptr;
        sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
        sqlite_ext::register_extension(opened);
        return std::unique_ptr<sqlite3, CloseDatabase>(opened);
    }();
    return db.get();
}

struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

void bind_value(sqlite3_stmt* statement, int at, std::string_view value) {
    if (value == "%") return;
    if (value.starts_with('#')) {
        sqlite3_bind_int64(statement, at,
                           std::strtoll(std::string(value.substr(1)).c_str(), nullptr, 10));
    } else if (value.starts_with('$')) {
        sqlite3_bind_blob64(statement, at, value.data() + 1, value.size() - 1, SQLITE_STATIC);
    } else {
        sqlite3_bind_text64(statement, at, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
}

/// Returns the number of rows, or -1 if there was an error.
int run(const char* sql, std::string_view values) {
    sqlite3_stmt* prepared = nullptr;
    fuzz::require(sqlite3_prepare_v2(database(), sql, -1, &prepared, nullptr) == SQLITE_OK);
    const std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement(prepared);
    for (int at = 1; at <= sqlite3_bind_parameter_count(prepared); ++at) {
        const std::size_t end = std::min(values.find('\n'), values.size());
        if (!values.empty()) bind_value(prepared, at, values.substr(0, end));
        values.remove_prefix(std::min(end + 1, values.size()));
    }
    int rows = 0;
    int rc = SQLITE_ROW;
    while ((rc = sqlite3_step(prepared)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(prepared); ++i) sqlite3_column_text(prepared, i);
        ++rows;
    }
    // The database is intact, so only the values can be wrong.
    fuzz::require(rc == SQLITE_DONE || rc == SQLITE_ERROR || rc == SQLITE_TOOBIG);
    return rc == SQLITE_DONE ? rows : -1;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::string_view values = fuzz::text_of(data + 1, size - 1);
    const std::size_t query = data[0] % std::size(kQueries);
    const int rows = run(kQueries[query], values);
    if (std::string_view(kQueries[query]) == "SELECT * FROM reached(?1)" && rows >= 0) {
        fuzz::require(run(kWrongRows, values) == 0);
    }
    return 0;
}
