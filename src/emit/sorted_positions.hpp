// Shared by exports that sort the positions of games.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "emit/game_batches.hpp"
#include "store/posting_sorter.hpp"

namespace fendex::emit {

/// Throws if there are too many games: a posting has kGameBits bits for a game's index in the list.
inline void require_countable(const GameList& games) {
    if (games.size() > codec::Posting::kMaxGames) {
        throw std::runtime_error("the positions of more than " +
                                 std::to_string(codec::Posting::kMaxGames) +
                                 " games cannot be counted at once");
    }
}

/// Calls work(thread, sorted postings) for every partition in `threads` threads, and sink(result)
/// in the order of the partitions.
template <typename Work, typename Sink>
void for_each_partition(unsigned threads, store::PostingSorter& sorter, Work work, Sink sink) {
    const auto source = [next = 0U]() mutable -> std::optional<unsigned> {
        if (next == store::PostingSorter::kPartitions) return std::nullopt;
        return next++;
    };
    base::run_ordered(
        threads, threads, source,
        [&](unsigned thread, unsigned partition) { return work(thread, sorter.take(partition)); },
        sink);
}

}  // namespace fendex::emit
