// Random samples of the distinct positions of games. A position is represented by the ply that
// reaches it first, in the order of the games. Samples are uniform and depend only on the seed, not
// on the number of threads. Positions with equal keys count as equal.
#pragma once

#include <optional>

#include "emit/game_batches.hpp"
#include "emit/sample.hpp"
#include "emit/sampled_plies.hpp"

namespace fendex::emit {

/// Calls the cheaper of the two functions below, which depends only on the games and the size.
SampledPlies sample_positions(const ExportJob& job, const SampleSize& size);

/// Replays all games. A hash of each key is its rank, and the positions of lowest rank are the
/// sample.
SampledPlies sample_positions_by_replay(const ExportJob& job, const SampleSize& size);

/// Draws plies until enough of them are the first of their position, which the index shows. Each
/// position has one such ply, so all positions are equally likely. Returns nothing after too many
/// draws, because then the games have few distinct positions. The games must be all games of the
/// database (is_whole_database()).
std::optional<SampledPlies> sample_positions_by_index(const ExportJob& job, const SampleSize& size);

/// True if the list has all games of the database in their order, and all are in the index.
bool is_whole_database(store::StoreReader& reader, const GameList& games);

}  // namespace fendex::emit
