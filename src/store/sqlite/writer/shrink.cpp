#include "store/sqlite/writer/shrink.hpp"

#include <filesystem>
#include <string>

#include "base/unfinished.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file/interrupter.hpp"
#include "store/sqlite/writer/database_copy.hpp"

namespace fendex::store {

namespace {

constexpr int kPagesBetweenLooks = 256;

/// Writes a copy without free pages. Returns false if stop() ended it.
bool write_copy(Connection& connection, const std::string& to, const std::function<bool()>& stop) {
    try {
        const Interrupter interrupter({connection.handle()}, stop);
        Statement vacuum(connection, "VACUUM INTO ?1");
        vacuum.run(to);
    } catch (const Interrupted&) {
        return false;
    }
    return true;
}

}  // namespace

bool shrink(Connection& connection, const std::function<bool()>& stop) {
    const std::string file = std::filesystem::weakly_canonical(connection.path()).string();
    const base::UnfinishedDirectory directory(file);
    const std::string copy = directory.path() + "/copy.db";
    // Shows whether others commit while the copy is made.
    Connection witness = open_database(connection.path(), Connection::Mode::kReadOnly);
    const auto version = [&] { return witness.integer("PRAGMA data_version"); };
    const std::optional<std::int64_t> copied = version();
    if (!write_copy(connection, copy, stop)) return false;

    Connection source(copy, Connection::Mode::kReadOnly);
    bool locked = false;  // from the first step on, nobody else can write
    return copy_pages(source, connection, kPagesBetweenLooks, [&](double) {
        if (locked && version() != copied) {
            throw StoreError(StoreError::kBusy,
                             connection.path() +
                                 ": another program wrote to it meanwhile; its free pages are as "
                                 "they were: try again");
        }
        locked = true;
        return !stop || !stop();
    });
}

}  // namespace fendex::store
