// How a writer indexes the games it is given: collects their postings, adds those of games that a
// writer which was killed had stored but not indexed, and writes them as segments: a big one
// whenever enough have been collected, and at the end one into which the small segments at the end
// of the index are absorbed, so that there are never many. Belongs to the writer's thread.
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

namespace fendex::store {

class Indexing {
  public:
    Indexing(std::string database, const IndexOptions& options, SegmentedWriter& writer);

    /// Replays the games that are stored, but in no segment.
    void take_leftovers();
    /// The same after games were taken back: what has been counted is forgotten. All that is kept
    /// must be committed.
    void begin_again() {
        start();
        take_leftovers();
    }
    /// Games have been stored, with ids from `first` on: their positions are to be indexed.
    void add(GameId first, NewGames games);
    /// Sorts what has been added, as far as no other thread is at it. Spreads that work: may be
    /// called by any thread, with its number.
    void sort_added(unsigned thread);
    /// Enough has been counted for a segment. May be asked by any thread.
    bool due() const { return due_; }
    /// No game has been counted that is in no segment.
    bool empty() const { return games_ == 0; }
    /// What has been counted becomes a segment. No other thread may be sorting, and all that was
    /// added must be committed. Commits now and then, and at the end.
    void write();

    /// The variations that the database says are to be indexed (SegmentedWriter::variations_from())
    /// become a segment of their own kind, which absorbs small ones before it. All games must be
    /// committed. Commits.
    void write_variations();

  private:
    /// Positions of stored games that have not been sorted.
    struct Added {
        GameId first = 1;
        std::vector<NewGame> games;
        std::vector<NewPosition> positions;
    };

    void start();
    void count(std::uint64_t games, std::uint64_t postings);
    std::optional<Added> take_added();
    std::uint64_t collect(SegmentKind kind, const GameRange& games, PostingSorter& sorter);
    GameId absorb(SegmentKind kind, const GameRange& games, std::uint64_t& postings,
                  PostingSorter& sorter);

    std::string database_;
    IndexOptions options_;
    SegmentedWriter& writer_;
    std::optional<PostingSorter> sorter_;
    std::mutex added_mutex_;
    std::deque<Added> added_;
    GameId first_game_ = 1;
    std::uint64_t games_ = 0;
    std::uint64_t postings_ = 0;
    std::uint64_t due_at_ = 0;
    std::atomic<bool> due_ = false;
};

}  // namespace fendex::store
