#include <algorithm>

#include "store/sqlite/file/database.hpp"
#include "store/sqlite/repair/repair_tables.hpp"

namespace fendex::store {

namespace {

/// Bytes of the facts and the signature for each game number that was ever used.
constexpr std::int64_t kLeastBytesPerNumber = 28;
/// Tables of names, and the columns of games that refer to them.
constexpr const char* kNames[][2] = {
    {"player", "white"}, {"player", "black"}, {"event", "event"}, {"site", "site"}};
constexpr char kResetColumns[] =
    "UPDATE game SET white = NULL WHERE typeof(white) NOT IN ('integer', 'null');"
    "UPDATE game SET black = NULL WHERE typeof(black) NOT IN ('integer', 'null');"
    "UPDATE game SET event = NULL WHERE typeof(event) NOT IN ('integer', 'null');"
    "UPDATE game SET result = 0 WHERE typeof(result) <> 'integer' OR result NOT BETWEEN 0 AND 3;"
    "UPDATE game SET variant = 0 WHERE typeof(variant) <> 'integer' OR variant NOT BETWEEN 0 AND "
    "11;"
    "UPDATE game SET plies = 0"
    " WHERE typeof(plies) <> 'integer' OR plies NOT BETWEEN 0 AND 1048575;";

}  // namespace

std::uint64_t RepairTables::repair_columns() {
    const auto changes = [&] { return connection_.number("SELECT total_changes()"); };
    const std::uint64_t before = changes();
    for (const auto& [table, column] : kNames) {
        std::string sql = "INSERT INTO ";
        sql.append(table).append("(id, name) SELECT DISTINCT ").append(column);
        sql.append(", '(lost ").append(table).append(" ' || ").append(column);
        sql.append(" || ')' FROM game WHERE typeof(").append(column).append(") = 'integer' AND ");
        sql.append(column).append(" NOT IN (SELECT id FROM ").append(table).append(")");
        connection_.run(sql);
    }
    connection_.run(kResetColumns);
    return changes() - before;
}

std::uint64_t RepairTables::repair_numbers() {
    const auto number = [&](const std::string& sql) {
        return connection_.integer(sql).value_or(0);
    };
    // Only the ledger knows deleted games after the last stored one.
    const std::int64_t most = std::max(most_rows(connection_) / kLeastBytesPerNumber,
                                       number("SELECT count(*) FROM game"));
    const std::int64_t said =
        number("SELECT value FROM meta WHERE name = 'last_game' AND typeof(value) = 'integer'");
    const std::int64_t listed = number("SELECT max(first_game + games - 1) FROM source");
    const bool agreed = said == listed && said >= 0 && said <= most;
    std::int64_t last =
        agreed ? said : number("SELECT max(id) FROM game WHERE id <= " + std::to_string(most));
    std::vector<std::int64_t> beyond;
    {
        Statement select(connection_, "SELECT id FROM game WHERE id > ?1 ORDER BY id");
        select.bind(1, last);
        while (select.step()) beyond.push_back(select.integer(0));
    }
    if (!beyond.empty()) {
        const std::string after = std::to_string(last);
        connection_.run("UPDATE import_error SET game_id = NULL WHERE game_id > " + after);
        connection_.run("DELETE FROM annotation WHERE game_id > " + after +
                        " AND game_id NOT IN (SELECT id FROM game)");
    }
    std::uint64_t changed = 0;
    Statement game(connection_, "UPDATE game SET id = ?2 WHERE id = ?1");
    Statement annotation(connection_, "UPDATE annotation SET game_id = ?2 WHERE game_id = ?1");
    for (const std::int64_t id : beyond) {
        if (id == ++last) continue;
        for (Statement* const each : {&game, &annotation}) {
            each->run(id, last);
        }
        add_error(static_cast<GameId>(last), std::nullopt,
                  "repair: the game had the number " + std::to_string(id) +
                      ", which cannot be one of this database");
        ++changed;
    }
    last_game_ = static_cast<GameId>(last);
    return changed;
}

}  // namespace fendex::store
