// Headers of many games, read at once and kept: those that a reader shows last until its next call.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <unordered_map>

#include "store/store_reader.hpp"

namespace fendex::store {

class KeptHeaders {
  public:
    KeptHeaders() = default;
    /// Reads the headers of these games, of which some may be named twice or not exist.
    KeptHeaders(StoreReader& reader, std::span<const GameId> games);

    /// Null for a game that does not exist.
    const GameHeader* find(GameId game) const;

  private:
    std::deque<std::string> texts_;  // that the headers are views of
    std::unordered_map<GameId, GameHeader> headers_;
};

}  // namespace fendex::store
