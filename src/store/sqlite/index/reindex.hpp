// Rebuilds the index: replays games from their packed moves, on all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codec/posting.hpp"
#include "store/game_range.hpp"
#include "store/sqlite/segments/segmented_writer.hpp"

namespace fendex::store {

struct ReindexOptions {
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    std::uint64_t games_per_segment = codec::Posting::kMaxGames;
    /// Games whose variations to index; empty: those indexed now.
    std::optional<std::vector<GameRange>> variations;
    /// Called from time to time, in the calling thread, with the share done. If it throws, the work
    /// ends and the index is unchanged.
    std::function<void(double share)> progress;
};

/// Replaces the whole index of the committed games by one segment, or as few as possible. Also
/// replaces the index of variations, with one segment for each range of consecutive games. Blocks
/// are committed while they are written. The new segments replace the old ones with the last
/// commit, which the caller makes.
void reindex(const std::string& database, SegmentedWriter& writer, const ReindexOptions& options);

}  // namespace fendex::store
