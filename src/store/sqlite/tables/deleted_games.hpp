// The set of deleted games, one bit for each game. The numbers of deleted games stay unused, but
// older segments still have their postings. Uses a connection, in its thread. Has the state at the
// time of load(). Damage is thrown as StoreError.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/columns.hpp"
#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

class DeletedGames {
  public:
    explicit DeletedGames(const Connection& connection);

    void load();
    bool empty() const { return chunks_.empty(); }
    bool contains(GameId game) const {
        if (chunks_.empty()) return false;
        const auto chunk = chunks_.find((game - 1) / codec::kGamesPerChunk);
        if (chunk == chunks_.end()) return false;
        const std::size_t bit = (game - 1) % codec::kGamesPerChunk;
        return (static_cast<unsigned>(chunk->second[bit / 8]) >> (bit % 8) & 1U) != 0;
    }
    /// Returns all of them, ascending.
    std::vector<GameId> games() const;
    /// Returns how many of the games from `first` on were deleted.
    std::uint64_t count_from(GameId first) const;

    /// Adds games, which must ascend, and writes them to the table.
    void add(std::span<const GameId> games);
    /// Forgets games from `first` on, whose numbers will be used again.
    void forget_from(GameId first);

  private:
    using Bits = std::array<std::uint8_t, codec::kGamesPerChunk / 8>;

    void write(std::uint64_t chunk, const Bits& bits);

    const Connection* connection_;
    Statement select_;
    std::unordered_map<std::uint64_t, Bits> chunks_;  // only chunks with deleted games
};

}  // namespace fendex::store
