#include "store/sqlite/tables/game_openings.hpp"

#include <optional>

#include "replay/opening_names.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/tables/game_reader.hpp"

namespace fendex::store {

namespace {

std::optional<replay::Opening> opening_of_stored(GameReader& games, GameId game, StoredMoves& moves,
                                                 std::vector<std::uint64_t>& keys) {
    keys.clear();
    try {
        if (!games.moves(game, moves)) return std::nullopt;
        replay::for_each_position(game, moves,
                                  [&](const auto& at) { keys.push_back(at.position().key()); });
    } catch (const DamageError&) {
        return std::nullopt;
    }
    return replay::opening_of_game(keys);
}

}  // namespace

GameOpenings::GameOpenings(Connection& connection, GameId last, const std::function<void()>& done) {
    NewRowsSource source(connection);
    NameTable names(connection, source, kOpenings, names_sum_);
    GameReader games(connection, GameReader::Verify::kNo);
    StoredMoves moves;
    std::vector<std::uint64_t> keys;
    for (GameId game = 1; game <= last; ++game) {
        const auto opening = opening_of_stored(games, game, moves, keys);
        ids_.push_back(opening ? static_cast<std::uint16_t>(names.id(opening->text))
                               : std::uint16_t{0});
        done();
    }
    names.write();
}

}  // namespace fendex::store
