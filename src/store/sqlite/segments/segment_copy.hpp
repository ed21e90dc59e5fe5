// Takes a segment of another database as it is. Game numbers in its rows are counted from its first
// game, so only the checksums of the rows change.
#pragma once

#include <optional>

#include "store/sqlite/segments/segment_reader.hpp"
#include "store/sqlite/segments/segmented_writer.hpp"

namespace fendex::store {

/// Writes the rows of `segment`, which `from` reads, as those of a segment of as many games from
/// `first` on. Commits from time to time. The new segment is used only after the caller has put and
/// committed the returned record. Returns nothing, and removes what it has written, if the other
/// database has lost or damaged a row.
std::optional<SegmentRecord> copy_segment(SegmentReader& from, const SegmentRecord& segment,
                                          GameId first, SegmentedWriter& writer);

}  // namespace fendex::store
