#include "store/records.hpp"

#include <numeric>

#include "base/json.hpp"

namespace fendex::store {

std::string plies_text(const std::vector<std::uint32_t>& plies) {
    std::string out;
    json::append_value(plies, out);
    return out;
}

void Occurrences::add(const RepeatedPosition& repetition) {
    std::uint32_t n = 1;
    for (const std::uint32_t ply : repetition.plies) {
        if (n > 1) later_.emplace(ply, n);
        ++n;
    }
}

GameSums& GameSums::operator+=(const GameSums& other) {
    games += other.games;
    plies += other.plies;
    positions += other.positions;
    fingerprint += other.fingerprint;
    return *this;
}

GameSums& GameSums::operator-=(const GameSums& other) {
    games -= other.games;
    plies -= other.plies;
    positions -= other.positions;
    fingerprint -= other.fingerprint;
    return *this;
}

void NewGames::count_as(GameId first) {
    for (NewGame& game : games) {
        game.fingerprint = fingerprint_as(first, game);
        game.counted_as = first++;
    }
}

std::uint64_t NewGames::fingerprint_as(GameId number, const NewGame& game) const {
    if (game.counted_as == number) return game.fingerprint;
    return fingerprint_of(number, game.positions.of(positions), &NewPosition::key);
}

std::uint64_t NewGames::count_plies() const {
    return std::accumulate(
        games.begin(), games.end(), std::uint64_t{0},
        [](std::uint64_t sum, const NewGame& game) { return sum + game.plies(); });
}

std::uint64_t NewGames::count_positions() const {
    return std::accumulate(
        games.begin(), games.end(), std::uint64_t{0},
        [](std::uint64_t sum, const NewGame& game) { return sum + game.positions.size; });
}

}  // namespace fendex::store
