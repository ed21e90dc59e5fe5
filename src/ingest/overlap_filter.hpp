// Leaves games out of a text that seems to end inside one that was imported: such a text is known
// up to a mark only (known_texts.hpp), and what follows up to its end is games of that one. A game
// is left out if it has the same tag pairs and moves as a stored one; the last one, which may be
// cut off, if it begins as a stored one. Belongs to the thread of the writer, and gets the batches
// in the order of the input.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codec/posting.hpp"
#include "store/game_range.hpp"
#include "store/store_reader.hpp"
#include "store/store_writer.hpp"

namespace fendex::ingest {

class OverlapFilter {
  public:
    /// `sources`: those that the text seems to be a part of. Their games must be committed.
    /// `progress` is called for each of these; what it throws ends the work.
    OverlapFilter(const std::string& database, store::StoreWriter& writer,
                  const std::vector<store::StoredSource>& sources,
                  const std::function<void()>& progress);

    /// Takes known games out of a batch and numbers those that stay from the writer's next one on;
    /// the same with their postings. `is_cut`: the last game of the batch has no end. Returns how
    /// many games are left out.
    std::uint64_t apply(store::NewGames& batch, bool is_cut, std::vector<codec::Posting>& postings);
    /// The number of the last game that apply() got; empty if it was left out.
    std::optional<store::GameId> last_game() const { return last_game_; }

  private:
    bool is_stored(const store::NewGames& batch, const store::NewGame& game);
    bool begins_as_stored(const store::NewGames& batch, const store::NewGame& game);

    std::unique_ptr<store::StoreReader> reader_;
    store::StoreWriter& writer_;
    std::vector<store::GameRange> ranges_;
    std::unordered_multimap<std::uint64_t, store::GameId> by_hash_;
    std::optional<store::GameId> last_game_;
    store::StoredGame stored_;
};

}  // namespace fendex::ingest
