#include "store/sqlite/repair/repair_tables.hpp"

#include "schema_sql.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/records/record_check.hpp"
#include "store/sqlite/sums/integrity.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/tables/name_alias_table.hpp"
#include "store/sqlite/tables/player_lists.hpp"

namespace fendex::store {

namespace {

// The order matters: later counts depend on earlier repairs.
constexpr char kClear[] =
    "DELETE FROM segment; DELETE FROM block; DELETE FROM repetition; DELETE FROM quiet_run;"
    "DELETE FROM deleted; DELETE FROM opening; DELETE FROM game WHERE id < 1";
constexpr char kInsertRepairError[] =
    "INSERT INTO import_error(source, game_id, byte, line, ply, reason, text)"
    " VALUES (ifnull((SELECT id FROM source WHERE first_game <= ?1"
    " ORDER BY first_game DESC, id DESC LIMIT 1), 0), ?1, 0, 0, ?2, ?3, '')";
constexpr char kInsertErrorOfNoGame[] =
    "INSERT INTO import_error(source, byte, line, reason, text)"
    " VALUES (ifnull((SELECT min(id) FROM source), 0), 0, 0, ?1, '')";
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
      new_rows_(connection_),
      openings_(connection_, new_rows_, kOpenings, openings_sum_),
      update_opening_(connection_, kUpdateOpening),
      repetitions_(connection_, new_rows_),
      new_plies_(connection_),
      select_sums_(connection_, select_sums()),
      update_sums_(connection_, kUpdateSums),
      deleted_(connection_) {
    if (has_swing_table(connection_)) old_swings_.emplace(connection_);
    begin();
}

void RepairTables::begin() {
    connection_.run("PRAGMA synchronous = FULL");
    connection_.run("BEGIN IMMEDIATE");
    doubts_.emplace(connection_);
    collect_variations();
    connection_.run(kClear);
    PlayerListWriter(connection_).drop();
    openings_.forget();
    annotations_.seal_dictionaries();
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

std::uint64_t RepairTables::repair_records() {
    const std::vector<RecordDamage> damage = store::repair_records(connection_);
    for (const RecordDamage& each : damage) {
        add_error("repair: table " + std::string(each.table) + ", row " + std::to_string(each.row) +
                  ": " + each.message + "; records of positions may be lost: import them again");
    }
    return damage.size();
}

std::uint64_t RepairTables::repair_joined_names() {
    const std::vector<AliasDamage> damage = repair_aliases(connection_);
    for (const AliasDamage& each : damage) {
        add_error("repair: table name_alias, row " + std::to_string(each.row) + ": " +
                  each.message + "; join the names again");
    }
    return damage.size();
}

/// Adds an import error that is of no game.
void RepairTables::add_error(std::string_view reason) {
    Statement(connection_, kInsertErrorOfNoGame).run(reason);
}

std::optional<GameId> RepairTables::next_game(GameId after) {
    const auto id = connection_.integer("SELECT min(id) FROM game WHERE id > " +
                                        std::to_string(as_signed(after)));
    if (!id) return std::nullopt;
    AscendingIds(connection_, "game", as_signed(after) + 1).require_next(*id);
    return static_cast<GameId>(*id);
}

std::optional<std::uint32_t> RepairTables::plies_by_facts(GameId game) {
    try {
        return old_facts_.at(game).plies;
    } catch (const DamageError&) {
        return std::nullopt;
    }
}

std::optional<std::uint32_t> RepairTables::stored_swings(GameId game) {
    if (!old_swings_) return 0;
    try {
        return old_swings_->at(game).front();
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

void RepairTables::put(GameId game, const codec::GameFacts& facts, std::string_view start,
                       std::string_view moves) {
    Statement update(connection_,
                     "UPDATE game SET plies = ?2, variant = ?3, result = ?4, fen = ?5, moves = ?6"
                     " WHERE id = ?1");
    update.run(as_signed(game), facts.plies, static_cast<std::int64_t>(facts.variant),
               static_cast<std::int64_t>(facts.result), text_or_null(start), Blob{moves});
}

bool RepairTables::is_sealed(GameId game) {
    const ResetAtEnd end(select_sums_, as_signed(game));
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
    update_sums_.run(as_signed(game), tags_sum_, moves_sum_);
    return false;
}

void RepairTables::add_error(GameId game, std::optional<std::uint32_t> ply,
                             std::string_view reason) {
    Statement insert(connection_, kInsertRepairError);
    insert.run(as_signed(game), ply, reason);
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
                       const codec::GameSignature& signature, std::string_view opening,
                       std::uint32_t swings) {
    skip_to(game);
    put_opening(game, opening);
    chunks_.add({facts, signature, codes_.codes(game), swings});
    ++next_;
}

/// Sets the opening of a game. Does not write the row if it has that opening already.
void RepairTables::put_opening(GameId game, std::string_view text) {
    update_opening_.run(as_signed(game),
                        text.empty() ? std::nullopt : std::optional(openings_.id(text)));
}

void RepairTables::add_ply_rows(GameId game, const PlyRowList& rows) {
    const GamePlyRows all{game, {0, rows.rows.size()}};
    new_plies_.set({&all, 1}, rows);
    insert_plies_->run();
}

}  // namespace fendex::store
