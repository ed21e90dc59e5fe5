#include "store/sqlite/tables/ply_rows_source.hpp"

#include <new>

#include "store/sqlite/file/api.hpp"

namespace fendex::store {

namespace {

enum class PlyColumn { kGame, kPly, kSan, kUci, kKey, kFen, kEpd, kOccurrence };

struct Table : sqlite3_vtab {
    const PlyRowsSource* source;
};

struct Cursor : sqlite3_vtab_cursor {
    std::span<const GamePlyRows> games;  // the current one first
    const PlyRowList* list;
    std::size_t row;  // of the current game

    void skip_ended_games() {
        while (!games.empty() && row == games.front().rows.size) {
            games = games.subspan(1);
            row = 0;
        }
    }
    std::size_t row_in_list() const { return games.front().rows.begin + row; }
};

int connect(sqlite3* db, void* source, int, const char* const*, sqlite3_vtab** out, char**) {
    const int rc = sqlite3_declare_vtab(
        db, "CREATE TABLE new_ply(game_id, ply, san, uci, key, fen, epd, occurrence)");
    if (rc != SQLITE_OK) return rc;
    auto* table = new (std::nothrow) Table{};
    if (table == nullptr) return SQLITE_NOMEM;
    table->source = static_cast<const PlyRowsSource*>(source);
    *out = table;
    return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
    delete static_cast<Table*>(table);
    return SQLITE_OK;
}

int best_index(sqlite3_vtab*, sqlite3_index_info* info) {
    info->estimatedCost = 1e6;
    return SQLITE_OK;
}

int open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
    auto* cursor = new (std::nothrow) Cursor{};
    if (cursor == nullptr) return SQLITE_NOMEM;
    *out = cursor;
    return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
    delete static_cast<Cursor*>(cursor);
    return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int, sqlite3_value**) {
    auto* cursor = static_cast<Cursor*>(base);
    const PlyRowsSource& source = *static_cast<const Table*>(base->pVtab)->source;
    cursor->games = source.games();
    cursor->list = source.list();
    cursor->row = 0;
    cursor->skip_ended_games();
    return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* base) {
    auto* cursor = static_cast<Cursor*>(base);
    ++cursor->row;
    cursor->skip_ended_games();
    return SQLITE_OK;
}

int eof(sqlite3_vtab_cursor* base) {
    return static_cast<const Cursor*>(base)->games.empty() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
    const auto* cursor = static_cast<const Cursor*>(base);
    const PlyRow& row = cursor->list->rows[cursor->row_in_list()];
    const auto text = [&](std::size_t offset, int size) {
        // SQLITE_STATIC: the text outlives the statement, so SQLite does not have to copy it.
        sqlite3_result_text(context, cursor->list->text.data() + row.text + offset, size,
                            SQLITE_STATIC);
    };
    const std::size_t moves = std::size_t{row.san_size} + row.uci_size;
    switch (static_cast<PlyColumn>(number)) {
        using enum PlyColumn;
        case kGame:
            sqlite3_result_int64(context, static_cast<sqlite3_int64>(cursor->games.front().game));
            break;
        case kPly: sqlite3_result_int64(context, row.ply); break;
        case kSan:
            if (row.san_size != 0) text(0, row.san_size);
            break;
        case kUci:
            if (row.san_size != 0) text(row.san_size, row.uci_size);
            break;
        case kKey: sqlite3_result_int64(context, static_cast<sqlite3_int64>(row.key)); break;
        case kFen: text(moves, row.fen_size); break;
        case kEpd: text(moves + row.fen_size, row.epd_size); break;
        case kOccurrence: sqlite3_result_int64(context, row.occurrence); break;
        default: break;
    }
    return SQLITE_OK;
}

int rowid(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
    *out = static_cast<sqlite3_int64>(static_cast<const Cursor*>(base)->row_in_list());
    return SQLITE_OK;
}

/// The module has no xCreate, so the table exists without CREATE VIRTUAL TABLE and in no schema.
const sqlite3_module kModule = [] {
    sqlite3_module module{};
    module.xConnect = connect;
    module.xBestIndex = best_index;
    module.xDisconnect = disconnect;
    module.xOpen = open;
    module.xClose = close;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = eof;
    module.xColumn = column;
    module.xRowid = rowid;
    return module;
}();

}  // namespace

PlyRowsSource::PlyRowsSource(Connection& connection) {
    if (sqlite3_create_module(connection.handle(), "new_ply", &kModule, this) != SQLITE_OK) {
        connection.fail("cannot prepare ply rows");
    }
}

}  // namespace fendex::store
