// Finds games of an import that are equal (store/game_identity.hpp) to a stored game or to an
// earlier game of the import. It finds candidates by hash, which takes about 40 bytes per game, and
// compares them with the stored games. Belongs to the writer's thread, which passes all batches in
// the order of the input.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/store_reader.hpp"
#include "store/store_writer.hpp"

namespace fendex::ingest {

class DuplicateFilter {
  public:
    /// Reads all games that the reader sees; the reader is not needed later. Calls `progress` from
    /// time to time; if it throws, the work ends.
    DuplicateFilter(store::StoreReader& reader, store::StoreWriter& writer,
                    const std::function<void()>& progress);

    /// Removes duplicates and their errors from a batch, counts them there, and keeps their
    /// comments as its notes. The batch must be stored before the next call. Returns whether its
    /// last game was left out.
    bool apply(store::NewGames& batch);

  private:
    store::GameId equal_game(const store::NewGames& batch, const store::NewGame& game);
    std::string text_of(store::GameId stored);

    store::StoreWriter& writer_;
    std::unordered_multimap<std::uint64_t, store::GameId> hashes_;
    store::GameId first_ = 1;            // the first game of the batch
    std::vector<std::string> of_batch_;  // the text by which game first_ + i is compared
    store::StoredGame stored_;
};

}  // namespace fendex::ingest
