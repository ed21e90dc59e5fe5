// A virtual table as a C++ class: this template implements the functions that SQLite calls and
// turns exceptions into SQL errors. Tables are eponymous (found by their name, in no schema) and
// read only. A stored table of the same name hides such a table, unless put_before_stored() is
// called.
//
// A Table has
//     static constexpr const char* kName, *kDeclaration;
//     explicit Table(std::shared_ptr<Session>);
//     int best_index(sqlite3_index_info&) const;    an SQLite result code
// and a Table::Cursor
//     explicit Cursor(const Table&);
//     void filter(int plan, std::span<sqlite3_value*> arguments);
//     void next();  bool eof() const;
//     void column(sqlite3_context*, int);  std::int64_t rowid() const;
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sqlite_ext/session.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/store_error.hpp"

namespace fendex::sqlite_ext {

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

template <typename Table>
class VirtualTable {
  public:
    /// Throws StoreError if SQLite refuses.
    static void create(sqlite3* db, std::shared_ptr<SessionSlot> slot) {
        create_module(db, Table::kName, kModule, std::move(slot));
    }
    /// Also creates the table in schema temp, where it hides a stored table of the same name. That
    /// can still be reached as main.NAME.
    static void put_before_stored(sqlite3* db, std::shared_ptr<SessionSlot> slot) {
        const std::string module = std::string("temporary_") + Table::kName;
        create_module(db, module, kTemporaryModule, std::move(slot));
        const std::string sql =
            std::string("CREATE VIRTUAL TABLE temp.") + Table::kName + " USING " + module;
        if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(db);
    }

  private:
    struct Instance : sqlite3_vtab {
        explicit Instance(std::shared_ptr<Session> session)
            : sqlite3_vtab{}, table(std::move(session)) {}
        Table table;
    };
    struct CursorInstance : sqlite3_vtab_cursor {
        explicit CursorInstance(const Table& table) : sqlite3_vtab_cursor{}, cursor(table) {}
        typename Table::Cursor cursor;
    };

    [[noreturn]] static void fail(sqlite3* db) {
        throw store::StoreError(store::StoreError::kOther,
                                std::string("table ") + Table::kName + ": " + sqlite3_errmsg(db));
    }
    static void create_module(sqlite3* db, const std::string& name, const sqlite3_module& module,
                              std::shared_ptr<SessionSlot> slot) {
        auto owned = std::make_unique<std::shared_ptr<SessionSlot>>(std::move(slot));
        // If this fails, SQLite has already called the destructor.
        if (sqlite3_create_module_v2(db, name.c_str(), &module, owned.release(), forget_slot) !=
            SQLITE_OK) {
            fail(db);
        }
    }
    /// Refuses schemas other than temp: a virtual table in the file would make it unreadable for
    /// other clients.
    static int create_temporary(sqlite3* db, void* slot, int count, const char* const* arguments,
                                sqlite3_vtab** out, char** error) {
        if (std::string_view(arguments[1]) != "temp") {
            *error = sqlite3_mprintf("%s can only make tables in schema temp", arguments[0]);
            return SQLITE_ERROR;
        }
        return connect(db, slot, count, arguments, out, error);
    }

    static void forget_slot(void* slot) { delete static_cast<std::shared_ptr<SessionSlot>*>(slot); }
    static typename Table::Cursor& cursor_of(sqlite3_vtab_cursor* base) {
        return static_cast<CursorInstance*>(base)->cursor;
    }

    static int connect(sqlite3* db, void* slot, int, const char* const*, sqlite3_vtab** out,
                       char** error) {
        const int rc = sqlite3_declare_vtab(db, Table::kDeclaration);
        if (rc != SQLITE_OK) return rc;
        // Views and triggers of any schema may use it: it only reads, and only this database.
        sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
        return guarded(*error, [&] {
            *out = new Instance((*static_cast<std::shared_ptr<SessionSlot>*>(slot))->session());
        });
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

    /// If xCreate differs from xConnect, the module is not eponymous; without xCreate it is only
    /// eponymous.
    static sqlite3_module made_by(decltype(sqlite3_module::xCreate) create);

    static const sqlite3_module kModule;
    static const sqlite3_module kTemporaryModule;
};

template <typename Table>
sqlite3_module VirtualTable<Table>::made_by(decltype(sqlite3_module::xCreate) create) {
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

template <typename Table>
const sqlite3_module VirtualTable<Table>::kModule = made_by(nullptr);
template <typename Table>
const sqlite3_module VirtualTable<Table>::kTemporaryModule = made_by(create_temporary);

}  // namespace fendex::sqlite_ext
