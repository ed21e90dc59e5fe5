#include <filesystem>

#include "store/sqlite/index/reindex.hpp"
#include "store/sqlite/writer/shrink.hpp"
#include "store/sqlite/writer/sqlite_writer.hpp"

namespace fendex::store {

namespace {

struct Stopped {};

}  // namespace

bool SqliteWriter::maintain(const Maintenance& request) {
    const auto stop = [&] { return request.stop && request.stop(); };
    if (request.reindex && !make_index(request, stop)) return false;
    if (!make_player_lists(stop)) return false;
    if (request.drop_ply_rows) drop_ply_rows();
    if (!request.vacuum && !request.drop_ply_rows) return true;
    // Also those that are kept apart because they may be taken back.
    bool goes_on = true;
    merge_runs({}, [&] { return goes_on = !stop(); });
    if (!goes_on) return false;
    if (request.progress) request.progress(Maintenance::Phase::kVacuum, 0);
    if (vacuum(stop)) return true;
    rollback();
    return false;
}

void SqliteWriter::close() {
    empty_log();
    lock_.reset();
}

bool SqliteWriter::close_unless_unused() {
    const bool unused = is_new_ && connection_.integer("SELECT count(*) FROM source") == 0;
    empty_log();
    const bool removed = unused && make_one_file();
    if (removed) std::filesystem::remove(std::filesystem::canonical(connection_.path()));
    lock_.reset();
    return !removed;
}

bool SqliteWriter::make_index(const Maintenance& request, const std::function<bool()>& stop) {
    ReindexOptions options;
    options.threads = request.threads;
    options.memory_bytes = request.memory_bytes;
    options.variations = request.variations;
    options.progress = [&](double share) {
        if (stop()) throw Stopped();
        if (request.progress) request.progress(Maintenance::Phase::kIndexing, share);
    };
    try {
        reindex(connection_.path(), *this, options);
    } catch (const Stopped&) {
        rollback();
        return false;
    }
    if (request.variations) set_variations_from(0);
    commit();
    return true;
}

/// Makes the lists of players that commits have not made yet. Commits.
bool SqliteWriter::make_player_lists(const std::function<bool()>& stop) {
    while (player_lists_.extend(totals_.last_game, kListsOfCommit)) {
        commit();
        if (stop()) return false;
    }
    commit();
    return true;
}

void SqliteWriter::drop_ply_rows() {
    insert_plies_.reset();
    connection_.run("DROP TABLE ply");
    choose_ply_rows(PlyRows::kNo);
}

/// Commits, then rewrites the file without its free pages.
bool SqliteWriter::vacuum(const std::function<bool()>& stop) {
    commit();
    connection_.run("COMMIT");
    const bool done = shrink(connection_, stop);
    begin();
    return done;
}

/// Commits and empties the log. Never waits: if others are reading, the last of them empties
/// it.
void SqliteWriter::empty_log() {
    games_.write_names();
    sums_.put(games_.names_sum());
    connection_.run("COMMIT");
    insert_plies_.reset();
    connection_.run("PRAGMA busy_timeout = 0");
    try {
        connection_.text("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (const StoreError&) {
        // Nothing is lost: the commits are in the log.
    }
}

/// Removes the log, so that the database is one file. Returns false if others have it open.
bool SqliteWriter::make_one_file() {
    try {
        return connection_.text("PRAGMA journal_mode = DELETE") == "delete";
    } catch (const StoreError&) {
        return false;
    }
}

}  // namespace fendex::store
