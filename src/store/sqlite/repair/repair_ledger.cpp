#include <algorithm>

#include "store/broken_game.hpp"
#include "store/game_chunks.hpp"
#include "store/sqlite/repair/repair_tables.hpp"
#include "store/sqlite/tables/derived_marks.hpp"

namespace fendex::store {

/// Removes the texts of broken games that cannot be unpacked.
void RepairTables::drop_unreadable_texts() {
    std::vector<std::int64_t> ids;
    Statement select(connection_, "SELECT id, pgn FROM import_error WHERE pgn IS NOT NULL");
    while (select.step()) {
        if (!unpack_broken_game(select.blob(1))) ids.push_back(select.integer(0));
    }
    select.reset();
    Statement update(connection_, "UPDATE import_error SET pgn = NULL WHERE id = ?1");
    for (const std::int64_t id : ids) {
        update.run(id);
    }
}

/// Makes the games of sources consecutive. If the first game and the number of games of a source
/// contradict each other, the first game is taken.
void RepairTables::repair_sources(GameId last_game) {
    struct Source {
        std::int64_t id = 0;
        std::int64_t first = 1;
    };
    std::vector<Source> sources;
    const std::int64_t end = as_signed(last_game) + 1;
    Statement select(connection_, "SELECT id, first_game FROM source ORDER BY id");
    while (select.step()) {
        const std::int64_t before = sources.empty() ? 1 : sources.back().first;
        const std::int64_t first = select.integer(1);
        sources.push_back(
            {select.integer(0), sources.empty() ? 1 : std::clamp(first, before, end)});
    }
    Statement update(
        connection_,
        "UPDATE source SET first_game = ?2, games = ?3, plies = (SELECT "
        "CAST(total(plies) AS INTEGER) FROM game WHERE id >= ?2 AND id < ?2 + ?3), "
        "errors = (SELECT count(*) FROM import_error WHERE source = ?1) WHERE id = ?1");
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::int64_t next = i + 1 < sources.size() ? sources[i + 1].first : end;
        update.run(sources[i].id, sources[i].first, next - sources[i].first);
    }
}

std::vector<Doubt> RepairTables::record_doubts(GameId last_game) {
    std::vector<Doubt> doubts = doubts_->remaining();
    for (const Doubt& doubt : doubts) add_error("repair: " + doubt.reason);
    if (!doubts.empty()) repair_sources(last_game);  // they count errors
    return doubts;
}

std::vector<Doubt> RepairTables::finish(const RepairedTotals& totals) {
    skip_to(totals.last_game + 1);
    chunks_.flush();
    openings_.write();
    const std::string chunks = std::to_string(chunks_up_to(totals.last_game));
    for (const std::string& table : chunk_tables(connection_)) {
        std::string sql = "DELETE FROM ";
        connection_.run(sql.append(table).append(" WHERE chunk < 0 OR chunk >= ").append(chunks));
    }
    connection_.run(
        "INSERT INTO source(path, first_byte, bytes, digest, resume_byte, resume_line,"
        " resume_digest, first_game, games, duplicates, plies, errors, complete, started, options)"
        " SELECT '(lost)', 0, 0, '', 0, 1, '', 1, 0, 0, 0, 0, 1, 0, ''"
        " WHERE NOT EXISTS (SELECT 1 FROM source)");
    connection_.run(
        "UPDATE import_error SET source = (SELECT min(id) FROM source)"
        " WHERE source IS NULL OR source NOT IN (SELECT id FROM source)");
    connection_.run(
        "UPDATE import_error SET game_id = NULL"
        " WHERE game_id IS NOT NULL AND game_id NOT IN (SELECT id FROM game)");
    connection_.run(
        "UPDATE import_error SET ply = (SELECT g.plies FROM game g WHERE g.id = game_id)"
        " WHERE ply < 0 OR ply > (SELECT g.plies FROM game g WHERE g.id = game_id)");
    connection_.run("DELETE FROM annotation WHERE game_id NOT IN (SELECT id FROM game)");
    drop_unreadable_texts();
    repair_sources(totals.last_game);
    std::vector<Doubt> doubts = record_doubts(totals.last_game);
    Statement meta(connection_, "INSERT OR REPLACE INTO meta(name, value) VALUES (?1, ?2)");
    const auto put = [&](std::string_view name, std::uint64_t value) {
        meta.run(name, as_signed(value));
    };
    put("games", totals.games);
    put("last_game", totals.last_game);
    put("plies", totals.plies);
    put("positions", totals.positions);
    put("fingerprint", totals.fingerprint);
    put("variations_from", totals.variations_from);
    for (const DerivedMark& mark : kDerivedMarks) put(mark.meta, mark.ours);
    put("annotated_games", connection_.number("SELECT count(*) FROM annotation"));
    put("annotation_bytes", connection_.number("SELECT sum(length(data)) FROM annotation"));
    put("errors", connection_.number("SELECT count(*) FROM import_error"));
    meta.run("ply_rows", has_ply_rows() ? "yes" : "no");
    RowSums sums(connection_);
    sums.compute();
    sums.put(sums.names());
    connection_.run("COMMIT");
    return doubts;
}

}  // namespace fendex::store
