// Headers of many games, read at once and kept: those that a reader shows last until its next call.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/store_reader.hpp"

namespace fendex::store {

class KeptHeaders {
  public:
    KeptHeaders() = default;
    /// Reads the headers of these games, of which some may be named twice or not exist.
    KeptHeaders(StoreReader& reader, std::span<const GameId> games);
    KeptHeaders(KeptHeaders&&) = default;
    KeptHeaders& operator=(KeptHeaders&&) = default;
    KeptHeaders(const KeptHeaders&) = delete;  // its headers would be views of the other's texts
    KeptHeaders& operator=(const KeptHeaders&) = delete;

    /// Null for a game that does not exist.
    const GameHeader* find(GameId game) const;

  private:
    std::deque<std::string> texts_;  // that the headers are views of
    std::unordered_map<GameId, GameHeader> headers_;
};

/// The same for games of several databases.
class KeptHeadersOfSeveral {
  public:
    /// A game, with the index of its database.
    using Place = std::pair<std::size_t, GameId>;

    KeptHeadersOfSeveral(std::span<StoreReader* const> readers, std::span<const Place> games);

    /// Null for a game that does not exist.
    const GameHeader* find(const Place& game) const {
        return headers_[game.first].find(game.second);
    }

  private:
    std::vector<KeptHeaders> headers_;  // by database
};

}  // namespace fendex::store
