#include "store/sqlite/repair/repair_tables.hpp"

#include <algorithm>
#include <utility>

#include "codec/annotation.hpp"
#include "schema_sql.hpp"
#include "store/broken_game.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/sums/integrity.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/tables/derived_marks.hpp"

namespace fendex::store {

namespace {

// The order matters: later counts depend on earlier repairs.
constexpr char kClear[] =
    "DELETE FROM segment; DELETE FROM block; DELETE FROM repetition; DELETE FROM quiet_run;"
    "DELETE FROM deleted; DELETE FROM opening; DELETE FROM game WHERE id < 1";
/// Selects games whose variations were indexed, if the rows are plausible.
constexpr char kSelectVariations[] =
    "SELECT first_game, last_game FROM segment WHERE kind = 1 AND typeof(first_game) = 'integer'"
    " AND typeof(last_game) = 'integer' AND first_game >= 1 AND last_game >= first_game"
    // Includes the games that a killed import had not reached.
    " UNION ALL SELECT value, 9223372036854775806 FROM meta"
    " WHERE name = 'variations_from' AND typeof(value) = 'integer' AND value >= 1"
    // If segments are missing, the options of imports show which games had indexed variations.
    " UNION ALL SELECT first_game, first_game + games - 1 FROM source WHERE ?1"
    " AND instr(options || ' ', '--variations ') AND typeof(first_game) = 'integer'"
    " AND typeof(games) = 'integer' AND first_game >= 1 AND games >= 1";
constexpr char kHasAnnotations[] =
    "SELECT 1 FROM annotation WHERE game_id BETWEEN ?1 AND ?2 LIMIT 1";
/// Bytes of the facts and the signature for each game number that was ever used.
constexpr std::int64_t kLeastBytesPerNumber = 28;
constexpr char kInsertRepairError[] =
    "INSERT INTO import_error(source, game_id, byte, line, ply, reason, text)"
    " VALUES (ifnull((SELECT id FROM source WHERE first_game <= ?1"
    " ORDER BY first_game DESC, id DESC LIMIT 1), 0), ?1, 0, 0, ?2, ?3, '')";
constexpr char kInsertDoubt[] =
    "INSERT INTO import_error(source, byte, line, reason, text)"
    " VALUES (ifnull((SELECT min(id) FROM source), 0), 0, 0, ?1, '')";
/// Tables of names, and the columns of games that refer to them.
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
/// SQL of the tags that have columns, one per line.
constexpr char kShapeOfColumns[] =
    "rtrim(iif(event IS NULL, '', 'Event' || char(10)) || iif(site IS NULL, '', 'Site' || char(10))"
    " || iif(date IS NULL, '', 'Date' || char(10)) || iif(round IS NULL, '', 'Round' || char(10))"
    " || iif(white IS NULL, '', 'White' || char(10)) || iif(black IS NULL, '', 'Black' || char(10))"
    " || 'Result' || char(10) || iif(white_elo IS NULL, '', 'WhiteElo' || char(10))"
    " || iif(black_elo IS NULL, '', 'BlackElo' || char(10)) || iif(eco IS NULL, '', 'ECO' || "
    "char(10)) || iif(fen IS NULL, '', 'FEN'), char(10))";

std::string select_sums() {
    return std::string("SELECT ") + kTagColumns +
           ", moves, tags_sum, moves_sum FROM game WHERE id = ?1";
}
constexpr int kTagsSumOfRow = game_columns::kMoves + 1;
constexpr int kMovesSumOfRow = game_columns::kMoves + 2;
constexpr char kUpdateOpening[] =
    "UPDATE game SET opening = ?2 WHERE id = ?1 AND opening IS NOT ?2";
constexpr char kUpdateSums[] = "UPDATE game SET tags_sum = ?2, moves_sum = ?3 WHERE id = ?1";

}  // namespace

RepairTables::RepairTables(const std::string& path)
    : lock_(path, "repair"),
      connection_(open_database(path, Connection::Mode::kReadWrite)),
      games_(connection_, GameReader::Verify::kNo),
      old_facts_(connection_),
      annotations_(connection_),
      chunks_(connection_),
      codes_(connection_),
      openings_(connection_, kOpenings, openings_sum_),
      update_opening_(connection_, kUpdateOpening),
      repetitions_(connection_),
      new_plies_(connection_),
      select_sums_(connection_, select_sums()),
      update_sums_(connection_, kUpdateSums),
      deleted_(connection_) {
    begin();
}

void RepairTables::begin() {
    connection_.run("PRAGMA synchronous = FULL");
    connection_.run("BEGIN IMMEDIATE");
    doubts_.emplace(connection_);
    collect_variations();
    connection_.run(kClear);
    openings_.forget(connection_);
    seal_dictionaries();
    // REINDEX rebuilds indexes from their tables. If there are still errors after it, the file
    // itself is damaged.
    try {
        connection_.run("REINDEX");
    } catch (const StoreError& error) {
        // For example, two rows have the same key.
        if ((sqlite3_errcode(connection_.handle()) & 0xFF) != SQLITE_CONSTRAINT) throw;
        throw MalformedFileError(error.what());
    }
    const std::vector<std::string> found = integrity_problems(connection_, 1);
    if (!found.empty()) {
        throw MalformedFileError(connection_.path() + ": the file itself is damaged (" +
                                 found.front() + ")");
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
        std::string sql = "INSERT INTO ";
        sql.append(table).append("(id, name) SELECT DISTINCT ").append(column);
        sql.append(", '(lost ").append(table).append(" ' || ").append(column);
        sql.append(" || ')' FROM game WHERE typeof(").append(column).append(") = 'integer' AND ");
        sql.append(column).append(" NOT IN (SELECT id FROM ").append(table).append(")");
        connection_.run(sql);
    }
    connection_.run(kResetColumns);
    return changes() - before;
}

std::uint64_t RepairTables::repair_numbers() {
    const auto number = [&](const std::string& sql) {
        return connection_.integer(sql).value_or(0);
    };
    // Only the ledger knows deleted games after the last stored one.
    const std::int64_t most = std::max(most_rows(connection_) / kLeastBytesPerNumber,
                                       number("SELECT count(*) FROM game"));
    const std::int64_t said =
        number("SELECT value FROM meta WHERE name = 'last_game' AND typeof(value) = 'integer'");
    const std::int64_t listed = number("SELECT max(first_game + games - 1) FROM source");
    const bool agreed = said == listed && said >= 0 && said <= most;
    std::int64_t last =
        agreed ? said : number("SELECT max(id) FROM game WHERE id <= " + std::to_string(most));
    std::vector<std::int64_t> beyond;
    {
        Statement select(connection_, "SELECT id FROM game WHERE id > ?1 ORDER BY id");
        select.bind(1, last);
        while (select.step()) beyond.push_back(select.integer(0));
    }
    if (!beyond.empty()) {
        const std::string after = std::to_string(last);
        connection_.run("UPDATE import_error SET game_id = NULL WHERE game_id > " + after);
        connection_.run("DELETE FROM annotation WHERE game_id > " + after +
                        " AND game_id NOT IN (SELECT id FROM game)");
    }
    std::uint64_t changed = 0;
    Statement game(connection_, "UPDATE game SET id = ?2 WHERE id = ?1");
    Statement annotation(connection_, "UPDATE annotation SET game_id = ?2 WHERE game_id = ?1");
    for (const std::int64_t id : beyond) {
        if (id == ++last) continue;
        for (Statement* const each : {&game, &annotation}) {
            each->bind(1, id);
            each->bind(2, last);
            each->run();
        }
        add_error(static_cast<GameId>(last), std::nullopt,
                  "repair: the game had the number " + std::to_string(id) +
                      ", which cannot be one of this database");
        ++changed;
    }
    last_game_ = static_cast<GameId>(last);
    return changed;
}

std::optional<GameId> RepairTables::next_game(GameId after) {
    const auto id = connection_.integer("SELECT min(id) FROM game WHERE id > " +
                                        std::to_string(as_signed(after)));
    if (!id) return std::nullopt;
    AscendingIds(connection_, "game", as_signed(after) + 1).require_next(*id);
    return static_cast<GameId>(*id);
}

/// Collects the games whose variations were indexed. Joins ranges that touch or overlap.
void RepairTables::collect_variations() {
    std::vector<GameRange> found;
    Statement select(connection_, kSelectVariations);
    select.bind(1, std::int64_t{doubts_->segments_were_changed() ? 1 : 0});
    while (select.step()) {
        found.push_back(
            {static_cast<GameId>(select.integer(0)), static_cast<GameId>(select.integer(1))});
    }
    std::sort(found.begin(), found.end(),
              [](const GameRange& a, const GameRange& b) { return a.first < b.first; });
    for (const GameRange& games : found) {
        if (!variations_.empty() && games.first <= variations_.back().last + 1) {
            variations_.back().last = std::max(variations_.back().last, games.last);
        } else {
            variations_.push_back(games);
        }
    }
}

std::vector<GameRange> RepairTables::variations() const {
    std::vector<GameRange> out;
    Statement has_annotations(connection_, kHasAnnotations);
    for (const GameRange& each : variations_) {
        const GameRange games{each.first, std::min(each.last, last_game_)};
        const ResetAtEnd end(has_annotations);
        has_annotations.bind(1, as_signed(games.first));
        has_annotations.bind(2, as_signed(games.last));
        if (games.first <= games.last && has_annotations.step()) out.push_back(games);
    }
    return out;
}

std::optional<std::uint32_t> RepairTables::plies_by_facts(GameId game) {
    try {
        return old_facts_.at(game).plies;
    } catch (const DamageError&) {
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

RepairTables::Annotation RepairTables::keep_annotation(GameId game) {
    if (has_readable_annotation(game)) {
        // A doubtful dictionary is reported once, because it may affect all annotations.
        const bool has_one = !annotation_.empty();
        return has_one && std::exchange(dictionary_is_unverified_, false) ? Annotation::kUnverified
                                                                          : Annotation::kIntact;
    }
    seal_blob("annotation", "game_id", Sealed::kAnnotation, as_signed(game));
    if (has_readable_annotation(game)) return Annotation::kUnverified;
    connection_.run("DELETE FROM annotation WHERE game_id = " + std::to_string(game));
    return Annotation::kLost;
}

bool RepairTables::cut_annotation(GameId game, std::uint32_t plies) {
    if (annotation_moves_ <= plies) return false;
    const std::string stream = codec::cut_annotation(annotation_, plies);
    if (stream.empty()) {
        connection_.run("DELETE FROM annotation WHERE game_id = " + std::to_string(game));
        return true;
    }
    codec::TextPacker packer{std::string_view()};
    std::string packed;
    pack_annotation(game, stream, 0, packer, packed);
    Statement update(connection_, "UPDATE annotation SET data = ?2 WHERE game_id = ?1");
    update.bind(1, as_signed(game));
    update.bind_blob(2, packed);
    update.run();
    return true;
}

/// Reads the game's annotation. Returns whether it can be read, or the game has none.
bool RepairTables::has_readable_annotation(GameId game) {
    annotation_.clear();
    annotation_moves_ = 0;
    try {
        if (!annotations_.read(game, annotation_)) return true;
        const std::optional<std::size_t> moves = codec::moves_of_annotation(annotation_);
        annotation_moves_ = moves.value_or(0);
        return moves.has_value();
    } catch (const DamageError&) {
        return false;
    }
}

/// Writes the checksum of a row's current bytes, unless it is right already.
void RepairTables::seal_blob(const char* table, const char* key, Sealed what, std::int64_t id) {
    const std::string where = std::string(" WHERE ") + key + " = ?1";
    std::string bytes;
    {
        Statement select(connection_, std::string("SELECT data FROM ") + table + where);
        select.bind(1, id);
        if (!select.step()) return;
        bytes = select.blob(0);
    }
    if (base::unseal(bytes, row_seed(what, id))) return;
    bytes.resize(bytes.size() - std::min(bytes.size(), base::kSealBytes));
    base::seal(bytes, row_seed(what, id));
    Statement update(connection_, std::string("UPDATE ") + table + " SET data = ?2" + where);
    update.bind(1, id);
    update.bind_blob(2, bytes);
    update.run();
}

/// Writes new checksums for dictionaries with a wrong one. Removes those that zstd cannot use.
void RepairTables::seal_dictionaries() {
    std::vector<std::int64_t> doubtful;
    std::vector<std::int64_t> useless;
    Statement select(connection_, "SELECT id, data FROM dictionary");
    while (select.step()) {
        const std::int64_t id = select.integer(0);
        std::string_view bytes = select.blob(1);
        if (base::unseal(bytes, row_seed(Sealed::kDictionary, id))) continue;
        bytes.remove_suffix(std::min(bytes.size(), base::kSealBytes));
        (codec::TextUnpacker(bytes).is_usable() ? doubtful : useless).push_back(id);
    }
    for (const std::int64_t id : doubtful) seal_blob("dictionary", "id", Sealed::kDictionary, id);
    for (const std::int64_t id : useless) {
        connection_.run("DELETE FROM dictionary WHERE id = " + std::to_string(id));
    }
    dictionary_is_unverified_ = !doubtful.empty();
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

bool RepairTables::is_sealed(GameId game) {
    const ResetAtEnd end(select_sums_);
    select_sums_.bind(1, as_signed(game));
    if (!select_sums_.step()) return true;
    tags_sum_ = tags_sum(select_sums_, digest_);
    moves_sum_ = moves_sum(select_sums_, {}, digest_);
    const auto is = [&](int column, std::int64_t sum) {
        return select_sums_.is_integer(column) && select_sums_.integer(column) == sum;
    };
    return is(kTagsSumOfRow, tags_sum_) && is(kMovesSumOfRow, moves_sum_);
}

bool RepairTables::seal(GameId game) {
    if (is_sealed(game)) return true;
    update_sums_.bind(1, as_signed(game));
    update_sums_.bind(2, tags_sum_);
    update_sums_.bind(3, moves_sum_);
    update_sums_.run();
    return false;
}

void RepairTables::add_error(GameId game, std::optional<std::uint32_t> ply,
                             std::string_view reason) {
    Statement insert(connection_, kInsertRepairError);
    insert.bind(1, as_signed(game));
    insert.bind(2, ply);
    insert.bind(3, reason);
    insert.run();
}

/// Gives missing games before `game` empty facts and marks them as deleted.
void RepairTables::skip_to(GameId game) {
    std::vector<GameId> missing;
    for (; next_ < game; ++next_) {
        chunks_.add({});
        missing.push_back(next_);
    }
    deleted_.add(missing);
}

void RepairTables::add(GameId game, const codec::GameFacts& facts,
                       const codec::GameSignature& signature, std::string_view opening) {
    skip_to(game);
    put_opening(game, opening);
    chunks_.add({facts, signature, codes_.codes(game)});
    ++next_;
}

/// Sets the opening of a game. Does not write the row if it has that opening already.
void RepairTables::put_opening(GameId game, std::string_view text) {
    update_opening_.bind(1, as_signed(game));
    if (text.empty()) {
        update_opening_.bind_null(2);
    } else {
        update_opening_.bind(2, openings_.id(text));
    }
    update_opening_.run();
}

void RepairTables::add_ply_rows(GameId game, const PlyRowList& rows) {
    const GamePlyRows all{game, {0, rows.rows.size()}};
    new_plies_.set({&all, 1}, rows);
    insert_plies_->run();
}

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
        update.bind(1, id);
        update.run();
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
        update.bind(1, sources[i].id);
        update.bind(2, sources[i].first);
        update.bind(3, next - sources[i].first);
        update.run();
    }
}

std::vector<Doubt> RepairTables::record_doubts(GameId last_game) {
    std::vector<Doubt> doubts = doubts_->remaining();
    Statement insert(connection_, kInsertDoubt);
    for (const Doubt& doubt : doubts) {
        const std::string reason = "repair: " + doubt.reason;
        insert.bind(1, reason);
        insert.run();
    }
    if (!doubts.empty()) repair_sources(last_game);  // they count errors
    return doubts;
}

std::vector<Doubt> RepairTables::finish(const RepairedTotals& totals) {
    skip_to(totals.last_game + 1);
    chunks_.flush();
    const std::string chunks =
        std::to_string((totals.last_game + codec::kGamesPerChunk - 1) / codec::kGamesPerChunk);
    for (const char* const table : kChunkTables) {
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
        meta.bind(1, name);
        meta.bind(2, as_signed(value));
        meta.run();
    };
    put("games", totals.games);
    put("last_game", totals.last_game);
    put("plies", totals.plies);
    put("positions", totals.positions);
    put("fingerprint", totals.fingerprint);
    put("variations_from", totals.variations_from);
    for (const DerivedMark& mark : kDerivedMarks) put(mark.meta, mark.ours());
    const auto number = [&](std::string_view sql) {
        return static_cast<std::uint64_t>(connection_.integer(sql).value_or(0));
    };
    put("annotated_games", number("SELECT count(*) FROM annotation"));
    put("annotation_bytes", number("SELECT sum(length(data)) FROM annotation"));
    put("errors", number("SELECT count(*) FROM import_error"));
    meta.bind(1, "ply_rows");
    meta.bind(2, std::string_view(has_ply_rows() ? "yes" : "no"));
    meta.run();
    RowSums sums(connection_);
    sums.compute();
    sums.put(sums.names());
    connection_.run("COMMIT");
    return doubts;
}

}  // namespace fendex::store
