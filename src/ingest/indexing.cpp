#include "ingest/indexing.hpp"

#include <algorithm>

#include "ingest/reindex.hpp"
#include "store/segment_writer.hpp"

namespace fendex::ingest {

namespace {

/// A segment at the end of the index is absorbed where it has up to so many times the postings that
/// are to be written: so each has more than that of the one behind it, and their number grows with
/// the logarithm of what was appended.
constexpr std::uint64_t kAbsorbFactor = 4;
/// An import goes on without a segment until it has this share of what segments hold.
constexpr std::uint64_t kShareOfIndexed = 4;
/// A segment is due: batches that are on their way at that time must find room in it.
constexpr std::uint64_t kGamesDue = codec::Posting::kMaxGames / 2;
/// Of an import that was killed, between two looks at whether a segment is due.
constexpr std::uint64_t kLeftoversAtOnce = 1 << 17;

}  // namespace

Indexing::Indexing(std::string database, unsigned threads, std::size_t memory_bytes,
                   std::uint64_t segment_postings, store::StoreWriter& writer)
    : database_(std::move(database)),
      threads_(threads),
      memory_bytes_(memory_bytes),
      segment_postings_(segment_postings),
      writer_(writer) {
    start();
}

void Indexing::start() {
    sorter_.emplace(sorter_memory(memory_bytes_), threads_, temporary_directory(database_));
    first_game_ = writer_.unindexed().first;
    games_ = postings_ = 0;
    std::uint64_t indexed = 0;
    for (const auto& segment : writer_.segments(store::SegmentKind::kMainLine)) {
        indexed += segment.postings;
    }
    due_at_ = std::max(segment_postings_, indexed / kShareOfIndexed);
    due_ = false;
}

void Indexing::take_leftovers() {
    const store::UnindexedGames left = writer_.unindexed();
    const store::GameId end = left.first + left.games;
    for (store::GameId first = left.first; first < end; first += kLeftoversAtOnce) {
        const store::GameRange games{first, std::min(first + kLeftoversAtOnce, end) - 1};
        count(games.last - first + 1, collect_postings(database_, games, threads_, *sorter_));
        if (due_) write_segment();
    }
}

void Indexing::count(std::uint64_t games, std::uint64_t postings) {
    games_ += games;
    postings_ += postings;
    if (games_ > codec::Posting::kMaxGames) {
        throw store::StoreError(database_ + ": more games in one import than a segment holds");
    }
    due_ = postings_ >= due_at_ || games_ >= kGamesDue;
}

/// Feeds the postings of small segments before the games that were counted. Returns the first game.
store::GameId Indexing::absorb() {
    const auto segments = writer_.segments(store::SegmentKind::kMainLine);
    const store::GameId last = first_game_ + games_ - 1;
    store::GameId first = first_game_;
    for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
        if (segment->postings > kAbsorbFactor * postings_ ||
            segment->postings >= segment_postings_ ||
            last - segment->first_game >= codec::Posting::kMaxGames) {
            break;
        }
        first = segment->first_game;
        postings_ += segment->postings;
    }
    if (first < first_game_) {
        collect_postings(database_, {first, first_game_ - 1}, threads_, *sorter_);
    }
    return first;
}

void Indexing::write_segment() {
    const store::GameId last = first_game_ + games_ - 1;
    const store::GameRange games{absorb(), last};
    const store::SegmentRecord segment =
        store::write_segment(*sorter_, store::SegmentKind::kMainLine, games, threads_, writer_);
    writer_.put_segments({&segment, 1});
    writer_.commit();
    start();
}

}  // namespace fendex::ingest
