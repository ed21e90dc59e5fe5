// Finds out which positions the games of a database have reached. One thread.
#pragma once

#include "chess/any_position.hpp"
#include "store/local_reader.hpp"
#include "store/records.hpp"
#include "store/store.hpp"

namespace fendex::ingest {

class KnownPositions {
  public:
    explicit KnownPositions(store::Store& store) : reader_(store.reader()) {}

    /// Removes the records of other positions from a batch, and counts them.
    void keep_known(store::NewGames& batch);

  private:
    bool is_known(const chess::AnyPosition& position);
    bool has_reached(store::GameId game, const chess::AnyPosition& position);

    store::Reader reader_;
    store::StoredMoves moves_;
};

}  // namespace fendex::ingest
