#include "store/sqlite/tables/error_table.hpp"

namespace fendex::store {

namespace {

constexpr char kInsertError[] =
    "INSERT INTO import_error(source, game_id, byte, line, ply, reason, text, pgn, severity)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
constexpr char kIsReadAgain[] = "source = ?1 AND (byte >= ?2 OR line = 0)";

}  // namespace

ErrorTable::ErrorTable(Connection& connection, RowSum& sum)
    : connection_(&connection), sum_(sum), insert_(connection, kInsertError) {}

void ErrorTable::insert(std::int64_t source, std::optional<GameId> game, const ImportError& error) {
    const auto number = [](const auto& value) {
        return value ? RowValue::of_number(static_cast<std::int64_t>(*value)) : RowValue();
    };
    const RowValue row[] = {RowValue::of_number(source),
                            number(game),
                            RowValue::of_number(as_signed(error.byte)),
                            RowValue::of_number(as_signed(error.line)),
                            number(error.ply),
                            RowValue::of_text(error.reason),
                            RowValue::of_text(error.text),
                            error.pgn.empty() ? RowValue() : RowValue::of_blob(error.pgn),
                            RowValue::of_number(error.warning ? kWarning : kError)};
    int column = 0;
    for (const RowValue& value : row) insert_.bind(++column, value);
    insert_.run();

    // Adds the columns as they were just written. Reading the row back would take a fifth of the
    // time of an import of broken games.
    const std::int64_t id = connection_->last_inserted_id();
    digest_.begin();
    digest_.add(RowValue::of_number(id));
    for (const RowValue& value : row) digest_.add(value);
    sum_.add(id, digest_);
}

std::uint64_t ErrorTable::remove(std::int64_t source, std::uint64_t resume_byte) {
    return sum_.remove(kIsReadAgain, {source, as_signed(resume_byte)});
}

}  // namespace fendex::store
