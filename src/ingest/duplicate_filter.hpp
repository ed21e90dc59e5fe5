// Leaves games out of an import that are the same (store/game_identity.hpp) as one that is stored,
// or that came before in the same import. Hashes propose, some 40 bytes a game; what is stored
// decides. Belongs to the thread of the writer, and is shown the batches in the order of the input.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codec/posting.hpp"
#include "store/store_reader.hpp"
#include "store/store_writer.hpp"

namespace fendex::ingest {

class DuplicateFilter {
  public:
    /// Reads all games that the reader sees; it is not needed beyond that. `progress` is called
    /// now and then; what it throws ends the work.
    DuplicateFilter(store::StoreReader& reader, store::StoreWriter& writer,
                    const std::function<void()>& progress);

    /// Takes duplicates out of a batch and numbers the games that stay from the writer's next one
    /// on; the same with their postings, which are all of the batch. Errors in games that are left
    /// out go with them. To be stored before the next batch comes. Returns how many are left out.
    std::uint64_t apply(store::NewGames& batch, std::vector<codec::Posting>& postings);
    /// What the last game that it was shown is numbered; empty where it was left out.
    std::optional<store::GameId> last_game() const { return last_game_; }

  private:
    bool is_known(const store::NewGames& batch, const store::NewGame& game, store::GameId next);
    std::string text_of(store::GameId stored);

    store::StoreWriter& writer_;
    std::unordered_multimap<std::uint64_t, store::GameId> hashes_;
    std::optional<store::GameId> last_game_;
    store::GameId first_ = 1;            // of the batch
    std::vector<std::string> of_batch_;  // what game first_ + i is compared by
    store::StoredGame stored_;
};

}  // namespace fendex::ingest
