#include "store/sqlite/tables/repetition_table.hpp"

#include <string>

namespace fendex::store {

namespace {

constexpr char kInsertRepetition[] =
    "INSERT INTO repetition(game_id, key, count, plies, third_ply, fifth_ply)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
constexpr char kInsertQuietRun[] =
    "INSERT INTO quiet_run(game_id, ply50, ply75, longest) VALUES (?1, ?2, ?3, ?4)";

}  // namespace

RepetitionTable::RepetitionTable(const Connection& connection)
    : insert_repetition_(connection, kInsertRepetition),
      insert_quiet_run_(connection, kInsertQuietRun) {}

void RepetitionTable::insert(GameId game, const RepeatedPosition& each) {
    const std::string plies = plies_text(each.plies);
    insert_repetition_.bind(1, as_signed(game));
    insert_repetition_.bind(2, as_signed(each.key));
    insert_repetition_.bind(3, as_signed(each.plies.size()));
    insert_repetition_.bind(4, plies);
    insert_repetition_.bind(5, each.occurrence(3));
    insert_repetition_.bind(6, each.occurrence(5));
    insert_repetition_.run();
}

void RepetitionTable::insert(GameId game, const QuietPlies& each) {
    insert_quiet_run_.bind(1, as_signed(game));
    insert_quiet_run_.bind(2, each.ply50);
    insert_quiet_run_.bind(3, each.ply75);
    insert_quiet_run_.bind(4, each.longest);
    insert_quiet_run_.run();
}

}  // namespace fendex::store
