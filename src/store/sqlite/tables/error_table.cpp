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
    const std::int64_t severity = error.warning ? kWarning : kError;
    insert_.run(source, game, as_signed(error.byte), as_signed(error.line), error.ply, error.reason,
                error.text, blob_or_null(error.pgn), severity);

    // Adds the columns as they were just written. Reading the row back would take a fifth of the
    // time of an import of broken games.
    const auto add = [&](const auto& value) {
        if (value) {
            digest_.add(static_cast<std::int64_t>(*value));
        } else {
            digest_.add(nullptr);
        }
    };
    const std::int64_t id = connection_->last_inserted_id();
    digest_.begin();
    digest_.add(id);
    digest_.add(source);
    add(game);
    digest_.add(as_signed(error.byte));
    digest_.add(as_signed(error.line));
    add(error.ply);
    digest_.add(ValueType::kText, error.reason);
    digest_.add(ValueType::kText, error.text);
    if (error.pgn.empty()) {
        digest_.add(nullptr);
    } else {
        digest_.add(ValueType::kBlob, error.pgn);
    }
    digest_.add(severity);
    sum_.add(id, digest_);
}

std::uint64_t ErrorTable::remove(std::int64_t source, std::uint64_t resume_byte) {
    return sum_.remove(kIsReadAgain, {source, as_signed(resume_byte)});
}

}  // namespace fendex::store
