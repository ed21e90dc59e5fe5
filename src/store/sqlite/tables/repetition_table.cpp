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
    insert_repetition_.run(as_signed(game), as_signed(each.key), as_signed(each.plies.size()),
                           plies, each.occurrence(3), each.occurrence(5));
}

void RepetitionTable::insert(GameId game, const QuietPlies& each) {
    insert_quiet_run_.run(as_signed(game), each.ply50, each.ply75, each.longest);
}

}  // namespace fendex::store
