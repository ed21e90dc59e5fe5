#include "store/repair_tables.hpp"

#include <algorithm>

#include "codec/annotation.hpp"
#include "schema_sql.hpp"
#include "store/database.hpp"

namespace fendex::store {

namespace {

// The order matters: what is counted later rests on what is put right before.
constexpr char kClear[] =
    "DELETE FROM segment WHERE kind <> 1;"
    "DELETE FROM block WHERE segment NOT IN (SELECT id FROM segment); DELETE FROM repetition; "
    "DELETE FROM quiet_run;"
    "DELETE FROM deleted; DELETE FROM game WHERE id < 1";
constexpr char kInsertRepairError[] =
    "INSERT INTO import_error(source, game_id, byte, line, ply, reason, text)"
    " VALUES ((SELECT id FROM source WHERE first_game <= ?1 ORDER BY first_game DESC, id DESC LIMIT"
    " 1), ?1, 0, 0, ?2, ?3, '')";
/// Names that are not there: a table, and a column of games that refers to it.
constexpr const char* kNames[][2] = {
    {"player", "white"}, {"player", "black"}, {"event", "event"}, {"site", "site"}};
constexpr char kResetColumns[] =
    "UPDATE game SET white = NULL WHERE typeof(white) NOT IN ('integer', 'null');"
    "UPDATE game SET black = NULL WHERE typeof(black) NOT IN ('integer', 'null');"
    "UPDATE game SET event = NULL WHERE typeof(event) NOT IN ('integer', 'null');"
    "UPDATE game SET result = 0 WHERE typeof(result) <> 'integer' OR result NOT BETWEEN 0 AND 3;"
    "UPDATE game SET variant = 0 WHERE typeof(variant) <> 'integer' OR variant NOT BETWEEN 0 AND "
    "11;"
    "UPDATE game SET plies = 0"
    " WHERE typeof(plies) <> 'integer' OR plies NOT BETWEEN 0 AND 1048575;";
/// The tag pairs that columns have, one a line.
constexpr char kShapeOfColumns[] =
    "rtrim(iif(event IS NULL, '', 'Event' || char(10)) || iif(site IS NULL, '', 'Site' || char(10))"
    " || iif(date IS NULL, '', 'Date' || char(10)) || iif(round IS NULL, '', 'Round' || char(10))"
    " || iif(white IS NULL, '', 'White' || char(10)) || iif(black IS NULL, '', 'Black' || char(10))"
    " || 'Result' || char(10) || iif(white_elo IS NULL, '', 'WhiteElo' || char(10))"
    " || iif(black_elo IS NULL, '', 'BlackElo' || char(10)) || iif(eco IS NULL, '', 'ECO' || "
    "char(10)) || iif(fen IS NULL, '', 'FEN'), char(10))";

}  // namespace

RepairTables::RepairTables(const std::string& path)
    : lock_(path, "repair"),
      connection_(open_database(path, Connection::Mode::kReadWrite)),
      games_(connection_),
      old_facts_(connection_),
      annotations_(connection_),
      facts_(connection_),
      signatures_(connection_),
      repetitions_(connection_),
      new_plies_(connection_),
      deleted_(connection_) {
    begin();
}

void RepairTables::begin() {
    connection_.run("PRAGMA synchronous = FULL");
    connection_.run("BEGIN IMMEDIATE");
    connection_.run(kClear);
    // Indexes are made from their tables. What is then still wrong is the file itself.
    connection_.run("REINDEX");
    const std::string found = connection_.text("PRAGMA integrity_check(1)").value_or("");
    if (found != "ok") {
        connection_.run("ROLLBACK");
        throw StoreError(connection_.path() + ": the file itself is damaged (" + found +
                         "): save what can be read with 'sqlite3 " + connection_.path() +
                         " .recover | sqlite3 NEW.db', then 'fendex repair NEW.db'; or import the "
                         "games again");
    }
    const bool wanted = connection_.text("SELECT value FROM meta WHERE name = 'ply_rows'") == "yes";
    connection_.run("DROP TABLE IF EXISTS ply");
    if (wanted) {
        connection_.run(sql::kPlySql);
        insert_plies_.emplace(connection_, PlyRowsSource::kInsert);
    }
}

std::uint64_t RepairTables::repair_columns() {
    const auto changes = [&] {
        return static_cast<std::uint64_t>(
            connection_.integer("SELECT total_changes()").value_or(0));
    };
    const std::uint64_t before = changes();
    for (const auto& [table, column] : kNames) {
        const std::string name = table;
        connection_.run("INSERT INTO " + name + "(id, name) SELECT DISTINCT " + column +
                        ", '(lost " + name + " ' || " + column + " || ')' FROM game WHERE typeof(" +
                        column + ") = 'integer' AND " + column + " NOT IN (SELECT id FROM " + name +
                        ")");
    }
    connection_.run(kResetColumns);
    return changes() - before;
}

GameId RepairTables::last_game() {
    // Games that were deleted at the end are known by the ledger only.
    const std::int64_t there = connection_.integer("SELECT max(id) FROM game").value_or(0);
    const std::int64_t said =
        connection_
            .integer(
                "SELECT value FROM meta WHERE name = 'last_game' AND typeof(value) = 'integer'")
            .value_or(0);
    const std::int64_t listed =
        connection_.integer("SELECT max(first_game + games - 1) FROM source").value_or(0);
    return static_cast<GameId>(said == listed ? std::max(said, there) : there);
}

std::optional<GameId> RepairTables::next_game(GameId after) {
    const auto id = connection_.integer("SELECT min(id) FROM game WHERE id > " +
                                        std::to_string(as_signed(after)));
    return id ? std::optional(static_cast<GameId>(*id)) : std::nullopt;
}

std::optional<std::uint32_t> RepairTables::plies_by_facts(GameId game) {
    try {
        return old_facts_.at(game).plies;
    } catch (const StoreError&) {
        return std::nullopt;
    }
}

void RepairTables::drop_packed_tags(GameId game) {
    const std::string where = " WHERE id = " + std::to_string(game);
    const std::string shape = kShapeOfColumns;
    connection_.run("INSERT OR IGNORE INTO tag_shape(name) SELECT " + shape + " FROM game" + where);
    connection_.run(
        "UPDATE game SET tags = NULL, shape = (SELECT s.id FROM tag_shape s WHERE "
        "s.name = " +
        shape + ")" + where);
}

bool RepairTables::keep_annotation(GameId game) {
    try {
        if (!annotations_.read(game, annotation_)) return true;
        codec::AnnotationStreamReader stream(annotation_);
        while (stream.next()) {
        }
        if (!stream.corrupt()) return true;
    } catch (const StoreError&) {
    }
    connection_.run("DELETE FROM annotation WHERE game_id = " + std::to_string(game));
    return false;
}

void RepairTables::put(GameId game, const codec::GameFacts& facts, std::string_view start,
                       std::string_view moves) {
    Statement update(connection_,
                     "UPDATE game SET plies = ?2, variant = ?3, result = ?4, fen = ?5, moves = ?6"
                     " WHERE id = ?1");
    update.bind(1, as_signed(game));
    update.bind(2, facts.plies);
    update.bind(3, static_cast<std::int64_t>(facts.variant));
    update.bind(4, static_cast<std::int64_t>(facts.result));
    if (start.empty()) {
        update.bind_null(5);
    } else {
        update.bind(5, start);
    }
    update.bind_blob(6, moves);
    update.run();
}

void RepairTables::add_error(GameId game, std::optional<std::uint32_t> ply,
                             std::string_view reason) {
    Statement insert(connection_, kInsertRepairError);
    insert.bind(1, as_signed(game));
    insert.bind(2, ply);
    insert.bind(3, reason);
    insert.run();
}

/// Games that are not there have facts of nothing, and are marked.
void RepairTables::skip_to(GameId game) {
    std::vector<GameId> missing;
    for (; next_ < game; ++next_) {
        facts_.add({});
        signatures_.add({});
        missing.push_back(next_);
    }
    deleted_.add(missing);
}

void RepairTables::add(GameId game, const codec::GameFacts& facts,
                       const codec::GameSignature& signature) {
    skip_to(game);
    facts_.add(facts);
    signatures_.add(signature);
    ++next_;
}

void RepairTables::add_ply_rows(const NewGames& rows) {
    new_plies_.set(&rows);
    insert_plies_->run();
}

/// Sources follow one another; where one begins is believed before how many games it has.
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
        update.bind(1, sources[i].id);
        update.bind(2, sources[i].first);
        update.bind(3, next - sources[i].first);
        update.run();
    }
}

void RepairTables::finish(const RepairedTotals& totals) {
    skip_to(totals.last_game + 1);
    facts_.flush();
    signatures_.flush();
    const std::string chunks =
        std::to_string((totals.last_game + codec::kGamesPerChunk - 1) / codec::kGamesPerChunk);
    for (const std::string table : {"fact", "signature"}) {
        connection_.run("DELETE FROM " + table + " WHERE chunk < 0 OR chunk >= " + chunks);
    }
    connection_.run(
        "INSERT INTO source(path, first_byte, bytes, resume_byte, resume_line, first_game, games,"
        " duplicates, plies, errors, complete, started, options)"
        " SELECT '(lost)', 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, ''"
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
    repair_sources(totals.last_game);
    Statement meta(connection_, "INSERT OR REPLACE INTO meta(name, value) VALUES (?1, ?2)");
    const auto put = [&](std::string_view name, std::uint64_t value) {
        meta.bind(1, name);
        meta.bind(2, as_signed(value));
        meta.run();
    };
    put("games", totals.games);
    put("last_game", totals.last_game);
    put("plies", totals.plies);
    put("positions", totals.positions);
    put("fingerprint", totals.fingerprint);
    const auto number = [&](std::string_view sql) {
        return static_cast<std::uint64_t>(connection_.integer(sql).value_or(0));
    };
    put("annotated_games", number("SELECT count(*) FROM annotation"));
    put("annotation_bytes", number("SELECT sum(length(data)) FROM annotation"));
    put("errors", number("SELECT count(*) FROM import_error"));
    meta.bind(1, "ply_rows");
    meta.bind(2, std::string_view(has_ply_rows() ? "yes" : "no"));
    meta.run();
    connection_.run("COMMIT");
}

}  // namespace fendex::store
