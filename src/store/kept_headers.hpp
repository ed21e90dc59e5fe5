// Reads headers of many games at once and keeps them. The headers of a reader are valid only until
// its next call.
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
    /// Reads the headers of these games. A game may be named twice, or not exist.
    KeptHeaders(StoreReader& reader, std::span<const GameId> games);
    KeptHeaders(KeptHeaders&&) = default;
    KeptHeaders& operator=(KeptHeaders&&) = default;
    KeptHeaders(const KeptHeaders&) = delete;  // its headers would refer to the other's texts
    KeptHeaders& operator=(const KeptHeaders&) = delete;

    /// Returns null if the game does not exist.
    const GameHeader* find(GameId game) const;

  private:
    std::deque<std::string> texts_;  // texts that the headers refer to
    std::unordered_map<GameId, GameHeader> headers_;
};

/// Like KeptHeaders, for games of several databases.
class KeptHeadersOfSeveral {
  public:
    /// A game, with the index of its database.
    using Place = std::pair<std::size_t, GameId>;

    KeptHeadersOfSeveral(std::span<StoreReader* const> readers, std::span<const Place> games);

    /// Returns null if the game does not exist.
    const GameHeader* find(const Place& game) const {
        return headers_[game.first].find(game.second);
    }

  private:
    std::vector<KeptHeaders> headers_;  // by database
};

}  // namespace fendex::store
