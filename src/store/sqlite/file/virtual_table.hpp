// A virtual table as a C++ class: this template implements the functions that SQLite calls and
// turns exceptions into SQL errors. Tables are read only.
//
// A Table has
//     static constexpr const char* kDeclaration;
//     explicit Table(const Source&);               of the module that is given to SQLite
//     int best_index(sqlite3_index_info&) const;    an SQLite result code
// and a Table::Cursor
//     explicit Cursor(const Table&);
//     void filter(int plan, std::span<sqlite3_value*> arguments);
//     void next();  bool eof() const;
//     void column(sqlite3_context*, int);  std::int64_t rowid() const;
#pragma once

#include <exception>
#include <new>
#include <span>

#include "store/sqlite/file/api.hpp"

namespace fendex::store {

/// Calls a function that may throw; the exception's message goes to `error`.
template <typename Function>
int guarded(char*& error, Function&& function) {
    try {
        function();
        return SQLITE_OK;
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& problem) {
        sqlite3_free(error);
        error = sqlite3_mprintf("%s", problem.what());
    }
    return SQLITE_ERROR;
}

template <typename Table, typename Source>
class VirtualTable {
  public:
    /// If xCreate differs from xConnect, the module is not eponymous; without xCreate it is only
    /// eponymous. The pointer given to SQLite with the module must lead to a Source.
    static sqlite3_module module_made_by(decltype(sqlite3_module::xCreate) create) noexcept {
        sqlite3_module module{};
        module.xCreate = create;
        if (create != nullptr) module.xDestroy = disconnect;
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
    }

    static int connect(sqlite3* db, void* source, int, const char* const*, sqlite3_vtab** out,
                       char** error) {
        const int rc = sqlite3_declare_vtab(db, Table::kDeclaration);
        if (rc != SQLITE_OK) return rc;
        // Views and triggers of any schema may use it: it only reads, and only this database.
        sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
        return guarded(*error, [&] { *out = new Instance(*static_cast<const Source*>(source)); });
    }

  private:
    struct Instance : sqlite3_vtab {
        explicit Instance(const Source& source) : sqlite3_vtab{}, table(source) {}
        Table table;
    };
    struct CursorInstance : sqlite3_vtab_cursor {
        explicit CursorInstance(const Table& table) : sqlite3_vtab_cursor{}, cursor(table) {}
        typename Table::Cursor cursor;
    };

    static typename Table::Cursor& cursor_of(sqlite3_vtab_cursor* base) {
        return static_cast<CursorInstance*>(base)->cursor;
    }

    static int disconnect(sqlite3_vtab* base) {
        delete static_cast<Instance*>(base);
        return SQLITE_OK;
    }
    static int best_index(sqlite3_vtab* base, sqlite3_index_info* info) {
        return static_cast<Instance*>(base)->table.best_index(*info);
    }
    static int open(sqlite3_vtab* base, sqlite3_vtab_cursor** out) {
        return guarded(base->zErrMsg,
                       [&] { *out = new CursorInstance(static_cast<Instance*>(base)->table); });
    }
    static int close(sqlite3_vtab_cursor* base) {
        delete static_cast<CursorInstance*>(base);
        return SQLITE_OK;
    }
    static int filter(sqlite3_vtab_cursor* base, int plan, const char*, int count,
                      sqlite3_value** values) {
        return guarded(base->pVtab->zErrMsg, [&] {
            cursor_of(base).filter(plan, {values, static_cast<std::size_t>(count)});
        });
    }
    static int next(sqlite3_vtab_cursor* base) {
        return guarded(base->pVtab->zErrMsg, [&] { cursor_of(base).next(); });
    }
    static int eof(sqlite3_vtab_cursor* base) { return cursor_of(base).eof() ? 1 : 0; }
    static int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int number) {
        return guarded(base->pVtab->zErrMsg, [&] { cursor_of(base).column(context, number); });
    }
    static int rowid(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
        *out = cursor_of(base).rowid();
        return SQLITE_OK;
    }
};

}  // namespace fendex::store
