#include "store/sqlite/writer/writer.hpp"

#include <filesystem>
#include <utility>
#include <vector>

#include "schema_sql.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/writer/game_remover.hpp"
#include "store/sqlite/writer/sqlite_writer.hpp"
#include "store/sqlite/writer/writer_connection.hpp"

namespace fendex::store {

namespace {

// Unchanged values are not written, because most commits add only blocks.
constexpr char kSetMeta[] =
    "INSERT INTO meta(name, value) VALUES (?1, ?2)"
    " ON CONFLICT(name) DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value";

}  // namespace

SqliteWriter::SqliteWriter(const std::string& path, std::string_view purpose,
                           std::shared_ptr<void> open)
    : open_(std::move(open)),
      lock_(std::make_unique<WriterLock>(path, purpose)),
      is_new_(!std::filesystem::exists(path)),
      connection_(open_for_writing(path)),
      new_ply_rows_(connection_),
      new_rows_(connection_),
      games_(connection_, new_rows_),
      chunks_(connection_),
      player_lists_(connection_),
      annotations_(connection_),
      repetitions_(connection_, new_rows_),
      segments_(connection_),
      sums_(connection_),
      errors_(connection_, sums_.errors()),
      sources_(connection_, sums_.sources()),
      aliases_(connection_),
      records_(connection_),
      set_meta_(connection_, kSetMeta) {
    begin();
    load_state();
    remove_remains();
}

void SqliteWriter::choose_ply_rows(PlyRows rows) {
    put_meta("ply_rows", std::string_view(rows == PlyRows::kYes ? "yes" : "no"));
    if (rows == PlyRows::kYes) connection_.run(sql::kPlySql);
    load_ply_rows();
}

GameId SqliteWriter::add(NewGames batch) {
    const GameId first = next_game();
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        if (marks_[i] != kDerivedMarks[i].ours) marks_[i] = 0;
    }
    for (const NewGame& game : batch.games) {
        if (game.row) {
            games_.insert(next_game(), static_cast<const CopiedRows&>(*batch.rows), *game.row,
                          game.opening);
        } else {
            games_.insert(next_game(), batch, game);
        }
        chunks_.add(
            {game.facts, game.signature, games_.codes(), codec::code_of_swings(game.swings)});
        if (game.annotation.size != 0) {
            annotations_.insert(next_game(), game.annotation.of(batch.annotations));
        }
        totals_.add_game(game.positions.size, batch.fingerprint_as(next_game(), game));
        ++totals_.last_game;
    }
    games_.write();
    insert_repetitions(batch, first);
    for (const NewError& each : batch.errors) {
        errors_.insert(sources_.current().id,
                       each.game ? std::optional(first + *each.game) : std::nullopt, each.error);
    }
    if (!batch.ply_rows.rows.empty()) insert_ply_rows(batch, first);
    totals_.errors += batch.errors.size();
    sources_.count(batch);
    if (batch.is_of_records) {
        // Without commits, as with --strict, they are written all the same.
        if (records_.is_due()) put_records();
        reads_records_ = true;
        records_.add(batch);
    }
    if (indexing_) indexing_->add(first, std::move(batch));
    return first;
}

std::uint64_t SqliteWriter::add_notes(const NewGames& batch) {
    std::vector<GameId> games;
    std::vector<std::uint32_t> swings;
    for (const NewNotes& notes : batch.notes) {
        if (annotations_.has(notes.game)) continue;
        annotations_.insert(notes.game, notes.annotation.of(batch.annotations));
        games.push_back(notes.game);
        swings.push_back(codec::code_of_swings(notes.swings));
    }
    if (games.empty()) return 0;
    chunks_.replace_swings(games, swings);
    index_variations_from(games.front());
    return games.size();
}

GameSums SqliteWriter::remove_games(std::span<const GameId> games) {
    games_.write_names();  // before it looks for names that no game has any more
    GameRemover remover(connection_, chunks_, sums_.errors());
    const GameSums removed = remover.remove(games, totals_.last_game);
    games_.set_names_sum(games_.names_sum() - remover.removed_names_sum());
    player_lists_.remove_names(remover.removed_players());
    for (const GameId game : games) annotations_.remove(game);
    games_.forget_names();
    stored_games_.reset();
    totals_ -= removed;
    return removed;
}

void SqliteWriter::commit() {
    put_records();
    commit_transaction();
    if (records_.has_many_runs()) merge([] { return true; });
}

void SqliteWriter::commit_transaction() {
    // Only then: to fill a larger cache takes longer than it saves, because its memory is new.
    if (many_names_pages_ != 0 && games_.has_many_names()) {
        connection_.limit_pages(
            -static_cast<std::int64_t>(std::exchange(many_names_pages_, 0) / 1024));
    }
    games_.write_names();
    chunks_.flush();
    annotations_.flush();
    player_lists_.extend(totals_.last_game, kListsOfCommit);
    put_meta("annotated_games", as_signed(annotations_.totals().games));
    put_meta("annotation_bytes", as_signed(annotations_.totals().bytes));
    for (const auto& [name, total] : kTotals) put_meta(name, as_signed(totals_.*total));
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        put_meta(kDerivedMarks[i].meta, as_signed(marks_[i]));
    }
    if (const auto count = aliases_.changed_count()) put_meta(kJoinedNamesMeta, as_signed(*count));
    sums_.put(games_.names_sum());
    connection_.run("COMMIT");
    begin();
    if (std::exchange(replaced_, false)) remove_remains();
}

void SqliteWriter::rollback() {
    connection_.run("ROLLBACK");
    // begin() must not compare the counters: they include what was undone.
    version_.reset();
    begin();
    games_.forget_names();
    stored_games_.reset();
    replaced_ = false;
    segments_.abandon();
    load_state();
}

std::uint64_t SqliteWriter::meta(const std::string& name) {
    return connection_.number("SELECT value FROM meta WHERE name = '" + name + "'");
}

/// Begins a transaction. Throws StoreError if another program has changed the games since the
/// last one: the writer's lock does not stop other programs that use SQLite.
void SqliteWriter::begin() {
    connection_.run("BEGIN IMMEDIATE");
    const std::optional<std::int64_t> version = connection_.integer("PRAGMA data_version");
    if (version_ && version != version_) {
        const Totals known = totals_;
        games_.forget_names();
        load_state();
        if (totals_ != known) {
            throw StoreError(StoreError::kOther,
                             connection_.path() +
                                 ": another program has changed its games while they were being "
                                 "written; what was committed before is stored");
        }
    }
    version_ = version;
}

void SqliteWriter::load_state() {
    for (const auto& [name, total] : kTotals) totals_.*total = meta(name);
    if (totals_.last_game > static_cast<std::uint64_t>(most_rows(connection_)) ||
        totals_.games > totals_.last_game) {
        connection_.throw_to_repair("the number of games");
    }
    sums_.load();
    games_.set_names_sum(sums_.names());
    player_lists_.load(totals_.last_game);
    // A program that does not know them may have written last.
    if (!sums_.are_stored()) player_lists_.drop();
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const DerivedMark& mark = kDerivedMarks[i];
        marks_[i] = totals_.last_game == 0 ? mark.ours : meta(mark.meta);
    }
    segments_.require_sound(totals_.last_game);
    aliases_.forget();
    records_.load();
    reads_records_ = false;
    chunks_.begin(totals_.last_game);
    annotations_.begin({meta("annotated_games"), meta("annotation_bytes")});
    load_ply_rows();
}

void SqliteWriter::load_ply_rows() {
    const auto value = connection_.text("SELECT value FROM meta WHERE name = 'ply_rows'");
    ply_rows_ = !value            ? std::nullopt
                : *value == "yes" ? std::optional(PlyRows::kYes)
                                  : std::optional(PlyRows::kNo);
    if (ply_rows_ == PlyRows::kYes && !insert_plies_)
        insert_plies_.emplace(connection_, PlyRowsSource::kInsert);
    if (ply_rows_ != PlyRows::kYes) insert_plies_.reset();
}

void SqliteWriter::insert_repetitions(const NewGames& batch, GameId first) {
    GameId id = first;
    for (const NewGame& game : batch.games) {
        for (const auto& each : game.repetitions.of(batch.repetitions)) {
            repetitions_.insert(id, each);
        }
        for (const auto& each : game.quiet_runs.of(batch.quiet_runs)) {
            repetitions_.insert(id, each);
        }
        ++id;
    }
    repetitions_.write();
}

void SqliteWriter::insert_ply_rows(const NewGames& batch, GameId first) {
    std::vector<GamePlyRows> games;
    for (const NewGame& game : batch.games) {
        games.push_back({first + games.size(), game.ply_rows});
    }
    add_ply_rows(games, batch.ply_rows);
}

std::unique_ptr<SegmentedWriter> open_sqlite_writer(const std::string& path,
                                                    std::string_view purpose,
                                                    std::shared_ptr<void> open) {
    return std::make_unique<SqliteWriter>(path, purpose, std::move(open));
}

}  // namespace fendex::store
