#include "store/sqlite/reader/source_reader.hpp"

#include <string>

#include "store/sqlite/file/database.hpp"

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

}  // namespace

SourceReader::SourceReader(const Connection& connection)
    : select_(connection, select_sources(connection)) {}

std::vector<StoredSource> SourceReader::all() {
    std::vector<StoredSource> out;
    const ResetAtEnd reset(select_);
    const Statement& row = select_;
    const auto number = [&](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
    const auto optional = [&]<typename Value>(int column, Value value) {
        return row.is_null(column) ? std::nullopt : std::optional(value(column));
    };
    const auto text = [&](int column) { return std::string(row.text(column)); };
    const auto time = [&](int column) { return row.integer(column); };
    while (select_.step()) {
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
    return out;
}

}  // namespace fendex::store
