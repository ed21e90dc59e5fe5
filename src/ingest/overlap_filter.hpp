// Leaves games out of a text that seems to end inside one that was imported: such a text is known
// up to a mark only (known_texts.hpp), and what follows up to its end is games of that one. A game
// is left out if it has the same tag pairs and moves as a stored one; the last one, which may be
// cut off, if it begins as a stored one. Belongs to the thread of the writer, and gets the batches
// in the order of the input.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/game_range.hpp"
#include "store/store.hpp"

namespace fendex::ingest {

class OverlapFilter {
  public:
    /// `sources`: those that the text seems to be a part of. Their games must be committed.
    /// `progress` is called for each of these; what it throws ends the work.
    OverlapFilter(store::Store& store, const std::vector<store::StoredSource>& sources,
                  const std::function<void()>& progress);

    /// Takes known games out of a batch, with the errors in them, and counts them there. `is_cut`:
    /// the last game of the batch has no end. If no game stays, errors outside any game go, too.
    /// Returns whether the last game is left out.
    bool apply(store::NewGames& batch, bool is_cut);

  private:
    bool is_stored(const store::NewGames& batch, const store::NewGame& game);
    bool begins_as_stored(const store::NewGames& batch, const store::NewGame& game);

    store::Reader reader_;
    std::vector<store::GameRange> ranges_;
    std::unordered_multimap<std::uint64_t, store::GameId> by_hash_;
    store::StoredGame stored_;
};

}  // namespace fendex::ingest
