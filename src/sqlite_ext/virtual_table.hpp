// The virtual tables of the extension. They are eponymous (found by their name, in no schema). A
// stored table of the same name hides such a table, unless put_before_stored() is called.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sqlite_ext/session.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/virtual_table.hpp"
#include "store/store_error.hpp"

namespace fendex::sqlite_ext {

/// A Table has
///     static constexpr const char* kName, *kDeclaration;
///     static int best_index(sqlite3_index_info&);
/// and as an object it is a cursor (store/sqlite/file/virtual_table.hpp), made of a Session&.
template <typename Table>
class SessionTable {
  public:
    /// Throws StoreError if SQLite refuses.
    static void create(sqlite3* db, std::shared_ptr<SessionSlot> slot) {
        static const sqlite3_module module = Functions::module_made_by(nullptr);
        create_module(db, Table::kName, module, std::move(slot));
    }
    /// Also creates the table in schema temp, where it hides a stored table of the same name. That
    /// can still be reached as main.NAME.
    static void put_before_stored(sqlite3* db, std::shared_ptr<SessionSlot> slot) {
        const std::string module = std::string("temporary_") + Table::kName;
        static const sqlite3_module functions = Functions::module_made_by(create_temporary);
        create_module(db, module, functions, std::move(slot));
        const std::string sql =
            std::string("CREATE VIRTUAL TABLE temp.") + Table::kName + " USING " + module;
        if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(db);
    }

  private:
    struct Connected {
        static constexpr const char* kDeclaration = Table::kDeclaration;

        explicit Connected(const std::shared_ptr<SessionSlot>& slot) : session(slot->session()) {}
        static int best_index(sqlite3_index_info& info) { return Table::best_index(info); }

        struct Cursor : Table {
            explicit Cursor(const Connected& table) : Table(*table.session) {}
        };
        std::shared_ptr<Session> session;
    };
    using Functions = store::VirtualTable<Connected, std::shared_ptr<SessionSlot>>;

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
        return Functions::connect(db, slot, count, arguments, out, error);
    }

    static void forget_slot(void* slot) { delete static_cast<std::shared_ptr<SessionSlot>*>(slot); }
};

}  // namespace fendex::sqlite_ext
