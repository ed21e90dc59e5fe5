// Builds the index for a writer. Collects the postings of new games, and of games that a killed
// import had stored but not indexed, and writes them as segments: a large one whenever there are
// enough, and one at the end. A new segment absorbs small segments before it, so that there are
// never many. Belongs to the writer's thread.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "store/posting_sorter.hpp"
#include "store/sqlite/segments/segment_writer.hpp"
#include "store/sqlite/segments/segmented_writer.hpp"

namespace fendex::store {

class Indexing final : public GrowingIndex {
  public:
    Indexing(std::string database, const IndexOptions& options, SegmentedWriter& writer);

    /// Collects the postings of stored games that are in no segment. Writes a segment when one is
    /// due.
    void take_leftovers();
    /// Forgets everything that was added, and takes leftovers. All games must be committed.
    void restart() override {
        start();
        take_leftovers();
    }
    /// Adds games to index. They must be stored with ids from `first` on. To bound the memory,
    /// games are not taken if write() has been due for long; write() then reads them from the
    /// database. So it does with games whose segment is to be copied, unless it can copy it.
    void add(GameId first, NewGames games);
    /// Sorts added postings, except those that another thread is sorting.
    void help(unsigned thread) override;
    bool is_due() const override { return due_; }
    bool has_waiting() const override { return games_ != 0 || copied_; }
    /// Writes a segment of all added games, and further ones for games that add() has not taken. No
    /// other thread may be sorting, and all games must be committed. Commits from time to time, and
    /// at the end.
    void write() override;

    /// Writes segments of the variations that are not indexed yet
    /// (SegmentedWriter::variations_from()). They absorb small segments before them. All games must
    /// be committed, and none may wait for a segment. Commits.
    void write_variations() override;

  private:
    /// Positions of stored games that have not been sorted.
    struct Added {
        GameId first = 1;
        std::vector<NewGame> games;
        NewPositions positions;
    };

    /// Games that were added with the place of the same games in another database.
    struct Copied {
        GameRange games;
        GamesElsewhere from;
    };

    void start();
    void write_segment_of_added();
    void add_copied(GameId first, std::uint64_t games, const GamesElsewhere& from);
    void copy_segment_of(const Copied& copied);
    GameId write_variations(GameId first, GameId end);
    void count(std::uint64_t games, std::uint64_t postings);
    std::optional<Added> take_added();
    std::uint64_t collect(SegmentKind kind, const GameRange& games, PostingSorter& sorter);
    GameId first_absorbed(SegmentKind kind, const GameRange& games, std::uint64_t& postings);
    GameId absorb(SegmentKind kind, const GameRange& games, std::uint64_t& postings,
                  PostingSorter& sorter);

    std::string database_;
    IndexOptions options_;
    SegmentedWriter& writer_;
    PostingSorter sorter_;           // has variations while they are written
    std::uint64_t large_partition_;  // postings of a partition at which a segment is due
    std::mutex added_mutex_;
    std::deque<Added> added_;
    std::optional<Copied> copied_;  // other games wait in the database until these are indexed
    GameId first_game_ = 1;
    std::uint64_t games_ = 0;
    std::uint64_t postings_ = 0;
    std::uint64_t due_at_ = 0;
    std::atomic<bool> due_ = false;
};

}  // namespace fendex::store
