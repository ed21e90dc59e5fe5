#include "store/sqlite/reader/ledger_reader.hpp"

#include "store/broken_game.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/records/record_rows.hpp"

namespace fendex::store {

namespace {

/// Returns the query for the ledger. Version 4 has no column prefixes.
std::string select_sources(const Connection& connection) {
    return "SELECT id, path, size, modified, first_byte, bytes, digest, resume_byte, resume_line,"
           " resume_digest, open_game, complete, first_game, games, duplicates, plies, errors,"
           " started, finished, options, " +
           std::string(connection.format() >= kSealedFormat ? "prefixes" : "NULL") +
           " FROM main.source ORDER BY id";
}

/// Returns the query for all errors. Version 4 has no column severity.
std::string select_errors(const Connection& connection) {
    return "SELECT e.id, e.source, s.path, e.game_id, e.byte, e.line, e.ply, e.reason, e.text, " +
           std::string(connection.format() >= kSealedFormat ? "e.severity" : "0") +
           " FROM main.import_error e LEFT JOIN main.source s ON s.id = e.source ORDER BY e.id";
}

}  // namespace

std::vector<StoredSource> read_sources(const Connection& connection) {
    std::vector<StoredSource> out;
    Statement row(connection, select_sources(connection));
    const auto number = [&](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
    const auto optional = [&]<typename Value>(int column, Value value) {
        return row.is_null(column) ? std::nullopt : std::optional(value(column));
    };
    const auto text = [&](int column) { return std::string(row.text(column)); };
    const auto time = [&](int column) { return row.integer(column); };
    while (row.step()) {
        StoredSource& source = out.emplace_back();
        source.id = row.integer(0);
        source.file = {text(1), optional(2, number), optional(3, time)};
        source.first_byte = number(4);
        source.progress = {number(5),
                           text(6),
                           {number(7), number(8), text(9)},
                           optional(10, number),
                           row.integer(11) != 0,
                           std::string(row.blob(20))};
        source.first_game = number(12);
        source.games = number(13);
        source.duplicates = number(14);
        source.plies = number(15);
        source.errors = number(16);
        source.started = row.integer(17);
        source.finished = optional(18, time);
        source.options = text(19);
    }
    if (!has_record_tables(connection)) return out;
    const auto records = record_sources(connection);
    for (StoredSource& source : out) {
        const auto found = records.find(source.id);
        if (found != records.end()) source.records = found->second;
    }
    return out;
}

void for_each_error(const Connection& connection,
                    const std::function<bool(const StoredError&)>& visit) {
    Statement row(connection, select_errors(connection));
    StoredError each;
    while (row.step()) {
        each.id = row.integer(0);
        each.source = row.integer(1);
        each.path = row.text(2);
        each.game.reset();
        each.error.ply.reset();
        if (!row.is_null(3)) each.game = static_cast<GameId>(row.integer(3));
        each.error.byte = static_cast<std::uint64_t>(row.integer(4));
        each.error.line = static_cast<std::uint64_t>(row.integer(5));
        if (!row.is_null(6)) each.error.ply = static_cast<std::uint32_t>(row.integer(6));
        each.error.reason = row.text(7);
        each.error.text = row.text(8);
        each.error.warning = row.integer(9) == kWarning;
        if (!visit(each)) break;
    }
}

std::optional<std::string> broken_game(const Connection& connection, std::int64_t error) {
    Statement row(connection, "SELECT pgn FROM main.import_error WHERE id = ?1");
    row.bind_all(error);
    if (!row.step() || row.is_null(0)) return std::nullopt;
    std::optional<std::string> text = unpack_broken_game(row.blob(0));
    if (!text) {
        connection.throw_damaged("the text of error " + std::to_string(error));
    }
    return text;
}

}  // namespace fendex::store
