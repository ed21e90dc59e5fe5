// Leaves out games of a text that seems to be the beginning of an imported text. Such a text is
// recognised only up to a mark (known_texts.hpp); after the mark, its games are games of the
// imported text. A game is left out if its tag pairs and moves equal those of a stored game. The
// last game, which may be cut off, is left out if a stored game begins like it. Comments of these
// games are kept for the stored ones. Belongs to the
// writer's thread, which passes the batches in the order of the input.
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
    /// The text seems to be a part of each of `sources`, whose games must be committed. `progress`
    /// is called for each game; if it throws, the work ends.
    OverlapFilter(store::Store& store, const std::vector<store::StoredSource>& sources,
                  const std::function<void()>& progress);

    /// Removes known games and their errors from a batch, counts them there, and keeps their
    /// comments as its notes. `is_cut` means that the last game of the batch has no end.
    /// `all_known` means that the other games were stored, too, and have been deleted. If no game
    /// is left, errors outside any game are removed, too. Returns whether the last game was left
    /// out.
    bool apply(store::NewGames& batch, bool is_cut, bool all_known);

  private:
    store::GameId equal_game(const store::NewGames& batch, const store::NewGame& game);
    bool begins_as_stored(const store::NewGames& batch, const store::NewGame& game);

    store::Reader reader_;
    std::vector<store::GameRange> ranges_;
    std::unordered_multimap<std::uint64_t, store::GameId> by_hash_;
    store::StoredGame stored_;
};

}  // namespace fendex::ingest
