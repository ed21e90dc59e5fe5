// The index side of an import: collects the postings of games that are being stored, adds those of
// games an import which was killed had stored but not indexed, and writes them as a segment.
#pragma once

#include <string>

#include "store/posting_sorter.hpp"
#include "store/store_writer.hpp"

namespace fendex::ingest {

class Indexing {
  public:
    Indexing(std::string database, unsigned threads, std::size_t memory_bytes,
             store::StoreWriter& writer);

    /// Replays the games that are stored, but in no segment.
    void take_leftovers();
    /// The first game of the segment to come: postings count games from here.
    store::GameId first_game() const { return first_game_; }
    /// For the postings of new games: one for each thread.
    store::PostingSorter::Feeder& feeder(unsigned thread) { return sorter_.feeder(thread); }
    /// No game has been stored that is in no segment.
    bool empty() const { return writer_.next_game() == first_game_; }
    /// Commits now and then; the last commit is the caller's.
    void write_segment();

  private:
    std::string database_;
    unsigned threads_;
    store::StoreWriter& writer_;
    store::PostingSorter sorter_;
    store::GameId first_game_;
};

}  // namespace fendex::ingest
