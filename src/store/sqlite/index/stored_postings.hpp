// Collects the postings of stored games by replaying their packed moves on all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/game_range.hpp"
#include "store/posting_sorter.hpp"
#include "store/sqlite/sums/segment_record.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

/// Returns the directory for temporary files: that of the database.
std::string temporary_directory(const std::string& database);

/// Feeds the postings of committed games, of their moves or of their variations. Returns their
/// number. Throws StoreError for games that cannot be replayed. Calls progress() in the calling
/// thread with the game up to which all are done; if it throws, the work ends.
std::uint64_t collect_postings(const std::string& database, SegmentKind kind,
                               const GameRange& games, unsigned threads, PostingSorter& sorter,
                               const std::function<void(GameId done)>& progress = {});

/// Feeds the postings of the variations of games that this reader sees, in the calling thread.
/// Returns their number.
std::uint64_t feed_variations(StoreReader& reader, const GameRange& games,
                              PostingSorter::Feeder& postings);

}  // namespace fendex::store
