// Writes sorted postings as the rows of a segment.
#pragma once

#include <functional>

#include "store/game_range.hpp"
#include "store/posting_sorter.hpp"
#include "store/sqlite/segments/segmented_writer.hpp"

namespace fendex::store {

/// Writes the blocks of a segment of these games. Their postings are in the sorter, with game ids
/// modulo Posting::kMaxGames. `threads` threads sort and encode partitions; the calling thread,
/// which owns the writer, writes them in key order. Commits from time to time. The segment is used
/// only after the caller has put and committed the returned record. Throws StoreError if there are
/// more games than a segment can have. Calls progress() from time to time, in the calling thread,
/// with the share written; if it throws, the work ends.
SegmentRecord write_segment(PostingSorter& sorter, SegmentKind kind, const GameRange& games,
                            unsigned threads, SegmentedWriter& writer,
                            const std::function<void(double share)>& progress = {});

}  // namespace fendex::store
