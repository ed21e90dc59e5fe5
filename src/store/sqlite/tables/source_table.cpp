#include "store/sqlite/tables/source_table.hpp"

#include <chrono>

namespace fendex::store {

namespace {

constexpr char kInsertSource[] =
    "INSERT INTO source(id, path, size, modified, first_byte, bytes, digest, resume_byte,"
    " resume_line, resume_digest, first_game, games, duplicates, plies, errors, complete, started,"
    " options)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?5, '', ?5, 1, '', ?6, 0, 0, 0, 0, 0, ?7, ?8)";
constexpr char kSetFile[] = "UPDATE source SET path = ?2, size = ?3, modified = ?4 WHERE id = ?1";
constexpr char kUpdate[] =
    "UPDATE source SET bytes = ?2, digest = ?3, resume_byte = ?4, resume_line = ?5,"
    " resume_digest = ?6, open_game = ?7, games = ?8, duplicates = ?9, plies = ?10, errors = ?11,"
    " complete = ?12, finished = ?13, first_game = ?14, prefixes = ?15,"
    " first_byte = min(first_byte, ?2) WHERE id = ?1";

std::int64_t now() {
    using std::chrono::system_clock;
    return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch())
        .count();
}

}  // namespace

SourceTable::SourceTable(Connection& connection, RowSum& sum)
    : connection_(&connection),
      sum_(sum),
      insert_(connection, kInsertSource),
      set_file_(connection, kSetFile),
      update_(connection, kUpdate) {}

void SourceTable::begin(const SourceFile& file, const std::string& options, GameId first_game,
                        std::uint64_t first_byte) {
    current_ = {};
    current_.first_game = first_game;
    current_.id = connection_->integer("SELECT max(id) FROM source").value_or(0) + 1;
    insert_.run(current_.id, file.path, file.size, file.modified, as_signed(first_byte),
                as_signed(first_game), now(), options);
    sum_.add(current_.id);
}

void SourceTable::go_on(const StoredSource& source, const SourceFile& file) {
    set_file(source.id, file);
    current_ = source;
}

void SourceTable::end_at_checkpoint(const StoredSource& source) {
    StoredSource ended = source;
    SourceProgress& progress = ended.progress;
    progress.bytes = progress.resume.byte;
    progress.digest = progress.resume.digest;
    progress.complete = true;
    progress.open_game.reset();
    write(ended);
}

void SourceTable::retract(const SourceCounts& counts, const SourceProgress& progress,
                          std::uint64_t errors) {
    static_cast<SourceCounts&>(current_) = counts;
    current_.errors -= errors;
    update(progress);
}

void SourceTable::forget_text(const StoredSource& source, std::uint64_t errors) {
    StoredSource forgotten = source;
    forgotten.progress = {};
    forgotten.errors -= errors;
    write(forgotten);
}

void SourceTable::set_file(std::int64_t id, const SourceFile& file) {
    set_file_.bind_all(id, file.path, file.size, file.modified);
    change(set_file_, id);
}

void SourceTable::count(const NewGames& batch) {
    current_.games += batch.games.size();
    current_.duplicates += batch.duplicates;
    current_.plies += batch.count_plies();
    current_.errors += batch.errors.size();
    if (batch.is_of_records) {
        current_.records = current_.records.value_or(0) + batch.records.size();
    }
}

void SourceTable::update(const SourceProgress& progress) {
    current_.progress = progress;
    write(current_);
}

void SourceTable::write(const StoredSource& source) {
    const SourceProgress& progress = source.progress;
    update_.bind_all(source.id, as_signed(progress.bytes), progress.digest,
                     as_signed(progress.resume.byte), as_signed(progress.resume.line),
                     progress.resume.digest, progress.open_game, as_signed(source.games),
                     as_signed(source.duplicates), as_signed(source.plies),
                     as_signed(source.errors), progress.complete ? 1 : 0, now(),
                     as_signed(source.first_game), blob_or_null(progress.prefixes));
    change(update_, source.id);
}

void SourceTable::change(Statement& update, std::int64_t id) {
    sum_.subtract(id);
    update.run();
    sum_.add(id);
}

}  // namespace fendex::store
