// The index side of an import: collects the postings of games that are being stored, adds those of
// games an import which was killed had stored but not indexed, and writes them as segments: a big
// one whenever enough have been collected, and at the end one into which the small segments at the
// end of the index are absorbed, so that there are never many. Belongs to the importer's thread.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "store/posting_sorter.hpp"
#include "store/sqlite/segment_writer.hpp"
#include "store/sqlite/segmented_writer.hpp"

namespace fendex::ingest {

class Indexing {
  public:
    /// `segment_postings`: how many make a big segment, in a database that is not large.
    /// `progress` is called now and then, with the share of a segment that is written; what it
    /// throws stops the work.
    Indexing(std::string database, unsigned threads, std::size_t memory_bytes,
             std::uint64_t segment_postings, store::SegmentedWriter& writer,
             std::function<void(double share)> progress = {});

    /// Replays the games that are stored, but in no segment.
    void take_leftovers();
    /// The same after games were taken back: what has been counted is forgotten. All that is kept
    /// must be committed.
    void begin_again() {
        start();
        take_leftovers();
    }
    /// Games have been stored, with ids from `first` on: their positions are to be indexed.
    void add(store::GameId first, store::NewGames games);
    /// Sorts what has been added, as far as no other thread is at it. Spreads that work: may be
    /// called by any thread, with its number.
    void sort_added(unsigned thread);
    /// Enough has been counted for a segment. May be asked by any thread.
    bool due() const { return due_; }
    /// No game has been counted that is in no segment.
    bool empty() const { return games_ == 0; }
    /// What has been counted becomes a segment. No other thread may be sorting, and all that was
    /// added must be committed. Commits now and then, and at the end.
    void write_segment();

    /// The variations that the database says are to be indexed (SegmentedWriter::variations_from())
    /// become a segment of their own kind, which absorbs small ones before it. All games must be
    /// committed. Commits.
    void write_variations();

  private:
    /// Positions of stored games that have not been sorted.
    struct Added {
        store::GameId first = 1;
        std::vector<store::NewGame> games;
        std::vector<store::NewPosition> positions;
    };

    void start();
    void count(std::uint64_t games, std::uint64_t postings);
    std::optional<Added> take_added();
    std::uint64_t collect(store::SegmentKind kind, const store::GameRange& games,
                          store::PostingSorter& sorter);
    store::GameId absorb(store::SegmentKind kind, const store::GameRange& games,
                         std::uint64_t& postings, store::PostingSorter& sorter);

    std::string database_;
    unsigned threads_;
    std::size_t memory_bytes_;
    std::uint64_t segment_postings_;
    store::SegmentedWriter& writer_;
    std::function<void(double share)> progress_;
    std::optional<store::PostingSorter> sorter_;
    std::mutex added_mutex_;
    std::deque<Added> added_;
    store::GameId first_game_ = 1;
    std::uint64_t games_ = 0;
    std::uint64_t postings_ = 0;
    std::uint64_t due_at_ = 0;
    std::atomic<bool> due_ = false;
};

}  // namespace fendex::ingest
