#include "store/sqlite/reader/error_reader.hpp"

#include "store/broken_game.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

/// Returns the query for all errors. Version 4 has no column severity.
std::string scan_errors(const Connection& connection) {
    return "SELECT e.id, e.source, s.path, e.game_id, e.byte, e.line, e.ply, e.reason, e.text, " +
           std::string(connection.format() >= kSealedFormat ? "e.severity" : "0") +
           " FROM main.import_error e LEFT JOIN main.source s ON s.id = e.source ORDER BY e.id";
}
constexpr char kSelectPgn[] = "SELECT pgn FROM main.import_error WHERE id = ?1";

}  // namespace

ErrorReader::ErrorReader(const Connection& connection)
    : connection_(&connection),
      scan_(connection, scan_errors(connection)),
      select_pgn_(connection, kSelectPgn) {}

void ErrorReader::for_each(const std::function<bool(const StoredError&)>& visit) {
    const ResetAtEnd reset(scan_);
    StoredError each;
    while (scan_.step()) {
        each.id = scan_.integer(0);
        each.source = scan_.integer(1);
        each.path = scan_.text(2);
        each.game.reset();
        each.error.ply.reset();
        if (!scan_.is_null(3)) each.game = static_cast<GameId>(scan_.integer(3));
        each.error.byte = static_cast<std::uint64_t>(scan_.integer(4));
        each.error.line = static_cast<std::uint64_t>(scan_.integer(5));
        if (!scan_.is_null(6)) each.error.ply = static_cast<std::uint32_t>(scan_.integer(6));
        each.error.reason = scan_.text(7);
        each.error.text = scan_.text(8);
        each.error.warning = scan_.integer(9) == kWarning;
        if (!visit(each)) break;
    }
}

std::optional<std::string> ErrorReader::broken_game(std::int64_t error) {
    const ResetAtEnd reset(select_pgn_, error);
    if (!select_pgn_.step() || select_pgn_.is_null(0)) return std::nullopt;
    std::optional<std::string> text = unpack_broken_game(select_pgn_.blob(0));
    if (!text) {
        throw DamageError(connection_->path() + ": damaged: the text of error " +
                          std::to_string(error));
    }
    return text;
}

}  // namespace fendex::store
