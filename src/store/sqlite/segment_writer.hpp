// Turns sorted postings into the rows of a segment.
#pragma once

#include <functional>

#include "store/game_range.hpp"
#include "store/posting_sorter.hpp"
#include "store/sqlite/segmented_writer.hpp"

namespace fendex::store {

/// Writes the blocks of a segment of these games: their postings, which the sorter has with game
/// ids modulo Posting::kMaxGames. Partitions are sorted and encoded by `threads` threads, and
/// written in key order by the calling one, which owns the writer. Commits now and then: the
/// segment counts once the caller has put and committed the record that is returned. Throws
/// StoreError for more games than a segment holds. progress() is told now and then, in the calling
/// thread, what share is written; what it throws stops the work.
SegmentRecord write_segment(PostingSorter& sorter, SegmentKind kind, const GameRange& games,
                            unsigned threads, SegmentedWriter& writer,
                            const std::function<void(double share)>& progress = {});

}  // namespace fendex::store
