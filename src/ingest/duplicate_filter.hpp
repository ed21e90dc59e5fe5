// Finds the games of an import that are the same (store/game_identity.hpp) as one that is stored,
// or that came before in the same import. Hashes propose, some 40 bytes a game; what is stored
// decides. Belongs to the thread of the writer, and is shown the batches in the order of the input.
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
    /// Reads all games that the reader sees; it is not needed beyond that. Calls `progress` now and
    /// then; what it throws ends the work.
    DuplicateFilter(store::StoreReader& reader, store::StoreWriter& writer,
                    const std::function<void()>& progress);

    /// Takes duplicates out of a batch, with the errors in them, and counts them there. The batch
    /// must be stored before the next one comes. Returns whether its last game is left out.
    bool apply(store::NewGames& batch);

  private:
    bool is_known(const store::NewGames& batch, const store::NewGame& game);
    std::string text_of(store::GameId stored);

    store::StoreWriter& writer_;
    std::unordered_multimap<std::uint64_t, store::GameId> hashes_;
    store::GameId first_ = 1;            // of the batch
    std::vector<std::string> of_batch_;  // what game first_ + i is compared by
    store::StoredGame stored_;
};

}  // namespace fendex::ingest
