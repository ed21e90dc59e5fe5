// Shared by exports that sort the positions of games.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "codec/posting.hpp"
#include "emit/game_batches.hpp"
#include "store/record_sorter.hpp"

namespace fendex::emit {

/// A record stores a game's index in the list in this many bits.
inline constexpr unsigned kPlaceBits = codec::Posting::kGameBits;

/// Throws if there are more games than kPlaceBits can number.
inline void require_countable(const GameList& games) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << kPlaceBits;
    if (games.size() > kMost) {
        throw std::runtime_error("the positions of more than " + std::to_string(kMost) +
                                 " games cannot be counted at once");
    }
}

/// Calls work(thread, sorted records) for every partition in `threads` threads, and sink(result) in
/// the order of the partitions.
template <typename Record, typename Work, typename Sink>
void for_each_partition(unsigned threads, store::RecordSorter<Record>& sorter, Work work,
                        Sink sink) {
    const auto source = [next = 0U]() mutable -> std::optional<unsigned> {
        if (next == store::RecordSorter<Record>::kPartitions) return std::nullopt;
        return next++;
    };
    base::run_ordered(
        threads, threads, source,
        [&](unsigned thread, unsigned partition) { return work(thread, sorter.take(partition)); },
        sink);
}

}  // namespace fendex::emit
