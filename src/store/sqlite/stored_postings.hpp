// The postings of games that are stored, replayed from their packed moves on all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/game_range.hpp"
#include "store/posting_sorter.hpp"
#include "store/sqlite/segment_record.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

/// How much of the memory allowed a sorter takes: sorting a partition, and what is on its way to
/// the sorter, need room of their own.
constexpr std::size_t sorter_memory(std::size_t memory_bytes) { return memory_bytes / 8 * 5; }
/// Where temporary files of a database go: beside it.
std::string temporary_directory(const std::string& database);

/// Feeds the postings of games that are committed, of their moves or of their variations, and
/// returns how many these are. Throws StoreError for games that cannot be replayed. progress() is
/// told in the calling thread up to which game all are done; what it throws stops the work.
std::uint64_t collect_postings(const std::string& database, SegmentKind kind,
                               const GameRange& games, unsigned threads, PostingSorter& sorter,
                               const std::function<void(GameId done)>& progress = {});

/// The same for variations, in the calling thread, of the games that this reader sees.
std::uint64_t feed_variations(StoreReader& reader, const GameRange& games,
                              PostingSorter::Feeder& postings);

}  // namespace fendex::store
