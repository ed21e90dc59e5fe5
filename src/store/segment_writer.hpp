// Turns sorted postings into the rows of a segment.
#pragma once

#include "store/posting_sorter.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

/// Writes the postings of games first to last as a segment. Partitions are sorted and encoded by
/// `threads` threads, and written in key order by the calling one, which owns the writer. Commits
/// now and then: the segment counts only once its own row is committed, which is left to the
/// caller.
void write_segment(PostingSorter& sorter, GameId first, GameId last, unsigned threads,
                   StoreWriter& writer);

}  // namespace fendex::store
