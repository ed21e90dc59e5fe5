#include "ingest/indexing.hpp"

#include <filesystem>
#include <memory>

#include "store/segment_writer.hpp"
#include "store/store_reader.hpp"
#include "store/stored_walk.hpp"

namespace fendex::ingest {

Indexing::Indexing(std::string database, unsigned threads, std::size_t memory_bytes,
                   store::StoreWriter& writer)
    : database_(std::move(database)),
      threads_(threads),
      writer_(writer),
      // Sorting a partition and the batches on their way need room of their own.
      sorter_(memory_bytes / 8 * 5, threads,
              std::filesystem::absolute(database_).parent_path().string()),
      first_game_(writer.unindexed().first) {}

void Indexing::take_leftovers() {
    if (writer_.unindexed().games == 0) return;
    const std::unique_ptr<store::StoreReader> reader = store::open_reader(database_);
    store::PostingSorter::Feeder& postings = sorter_.feeder(0);
    reader->for_each_moves(first_game_, [&](store::GameId id, const store::StoredMoves& moves) {
        if (moves.facts.variant == chess::Variant::kOther) return true;
        codec::GameWalk walk = store::walk(id, moves);
        for (;; walk.advance()) {
            postings.add({walk.position().key(), walk.next_move(),
                          static_cast<std::uint32_t>(id - first_game_), walk.ply()});
            if (walk.at_end()) break;
        }
        store::require_intact(id, walk);
        return true;
    });
}

void Indexing::write_segment() {
    store::write_segment(sorter_, first_game_, writer_.next_game() - 1, threads_, writer_);
}

}  // namespace fendex::ingest
