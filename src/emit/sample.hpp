// Random samples of games and plies, and splits. A sample is uniform: every subset of that size is
// equally likely. All results depend only on the seed.
#pragma once

#include <cstdint>
#include <vector>

#include "emit/game_batches.hpp"
#include "emit/sampled_plies.hpp"

namespace fendex::emit {

struct SampleSize {
    std::uint64_t count = 0;  // if there are fewer, the sample is all of them
    std::uint64_t seed = 0;
};

/// Different uses of one seed must not depend on each other.
enum class SeedUse : std::uint64_t { kNumbers = 1, kPositions = 2, kSplit = 3 };
std::uint64_t seed_of(std::uint64_t seed, SeedUse use);

/// Returns `size.count` different numbers less than `end`, ascending.
std::vector<std::uint64_t> sample_numbers(std::uint64_t end, const SampleSize& size);

/// Returns a sample of games, in the order of the list. Reads nothing.
GameList sample_games(const GameList& games, const SampleSize& size);

/// Returns a sample of the plies (with the starts) of the games. Reads the facts of the games, but
/// replays nothing.
SampledPlies sample_plies(store::StoreReader& reader, const GameList& games,
                          const SampleSize& size);

/// Returns the games of the list that have sampled plies, in its order.
GameList games_of(const GameList& games, const SampledPlies& sample);

/// A training part and a test part.
struct GameSplit {
    GameList training;
    GameList test;
};
/// Puts each game into the training part with the given probability, from 0 to 1. It depends only
/// on the seed and the number of the game, so a game stays in its part when others are added.
GameSplit split_games(const GameList& games, double training_share, std::uint64_t seed);

}  // namespace fendex::emit
