// The index made from what is stored: games are replayed from their packed moves, on all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codec/posting.hpp"
#include "store/game_range.hpp"
#include "store/sqlite/segmented_writer.hpp"

namespace fendex::store {

struct ReindexOptions {
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    std::uint64_t games_per_segment = codec::Posting::kMaxGames;
    /// Games whose variations are indexed; empty: those that are now.
    std::optional<std::vector<GameRange>> variations;
    /// Called now and then, in the calling thread, with the share done; what it throws stops the
    /// work, and leaves the index as it was.
    std::function<void(double share)> progress;
};

/// Replaces the whole index by one segment, or as few as may be, of the games that are committed;
/// and those of variations, where they follow one another, alike.
/// The blocks are committed as they come; the segments take the place of those before in the last
/// commit, which is the caller's.
void reindex(const std::string& database, SegmentedWriter& writer, const ReindexOptions& options);

}  // namespace fendex::store
