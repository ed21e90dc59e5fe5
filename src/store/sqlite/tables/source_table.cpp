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
    insert_.bind(1, current_.id);
    insert_.bind(2, file.path);
    insert_.bind(3, file.size);
    insert_.bind(4, file.modified);
    insert_.bind(5, as_signed(first_byte));
    insert_.bind(6, as_signed(first_game));
    insert_.bind(7, now());
    insert_.bind(8, options);
    insert_.run();
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
    current_.games = counts.games;
    current_.duplicates = counts.duplicates;
    current_.plies = counts.plies;
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
    set_file_.bind(1, id);
    set_file_.bind(2, file.path);
    set_file_.bind(3, file.size);
    set_file_.bind(4, file.modified);
    change(set_file_, id);
}

void SourceTable::count(const NewGames& batch) {
    current_.games += batch.games.size();
    current_.duplicates += batch.duplicates;
    current_.plies += batch.count_plies();
    current_.errors += batch.errors.size();
}

void SourceTable::update(const SourceProgress& progress) {
    current_.progress = progress;
    write(current_);
}

void SourceTable::write(const StoredSource& source) {
    const SourceProgress& progress = source.progress;
    update_.bind(1, source.id);
    update_.bind(2, as_signed(progress.bytes));
    update_.bind(3, progress.digest);
    update_.bind(4, as_signed(progress.resume.byte));
    update_.bind(5, as_signed(progress.resume.line));
    update_.bind(6, progress.resume.digest);
    update_.bind(7, progress.open_game);
    update_.bind(8, as_signed(source.games));
    update_.bind(9, as_signed(source.duplicates));
    update_.bind(10, as_signed(source.plies));
    update_.bind(11, as_signed(source.errors));
    update_.bind(12, progress.complete ? 1 : 0);
    update_.bind(13, now());
    update_.bind(14, as_signed(source.first_game));
    if (progress.prefixes.empty()) {
        update_.bind_null(15);
    } else {
        update_.bind_blob(15, progress.prefixes);
    }
    change(update_, source.id);
}

void SourceTable::change(Statement& update, std::int64_t id) {
    sum_.subtract(id);
    update.run();
    sum_.add(id);
}

}  // namespace fendex::store
