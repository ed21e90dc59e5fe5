#include "store/source_table.hpp"

#include <chrono>

namespace fendex::store {

namespace {

constexpr char kInsert[] =
    "INSERT INTO source(id, path, size, modified, first_byte, bytes, resume_byte, resume_line,"
    " first_game, games, duplicates, plies, errors, complete, started, options)"
    " VALUES (?1, ?2, ?3, ?4, 0, 0, 0, 1, ?5, 0, 0, 0, 0, 0, ?6, '')";
constexpr char kUpdate[] =
    "UPDATE source SET bytes = ?2, resume_byte = ?2, games = ?3, plies = ?4, errors = ?5,"
    " complete = ?6, finished = ?7 WHERE id = ?1";

std::int64_t now() {
    using std::chrono::system_clock;
    return std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch())
        .count();
}

}  // namespace

SourceTable::SourceTable(Connection& connection)
    : connection_(&connection), insert_(connection, kInsert), update_(connection, kUpdate) {}

void SourceTable::begin(const SourceRecord& source, GameId first_game) {
    id_ = connection_->integer("SELECT max(id) FROM source").value_or(0) + 1;
    games_ = plies_ = errors_ = 0;
    insert_.bind(1, id_);
    insert_.bind(2, source.path);
    insert_.bind(3, source.size);
    insert_.bind(4, source.modified);
    insert_.bind(5, as_signed(first_game));
    insert_.bind(6, now());
    insert_.run();
}

void SourceTable::count(const NewGames& batch) {
    games_ += batch.games.size();
    plies_ += batch.plies;
    errors_ += batch.errors.size();
}

void SourceTable::update(std::uint64_t bytes, bool complete) {
    update_.bind(1, id_);
    update_.bind(2, as_signed(bytes));
    update_.bind(3, as_signed(games_));
    update_.bind(4, as_signed(plies_));
    update_.bind(5, as_signed(errors_));
    update_.bind(6, complete ? 1 : 0);
    update_.bind(7, now());
    update_.run();
}

}  // namespace fendex::store
