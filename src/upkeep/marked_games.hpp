// Games that a check has marked as deleted or damaged, as bitmaps by chunk.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>

#include "codec/columns.hpp"
#include "store/records.hpp"

namespace fendex::upkeep {

class MarkedGames {
  public:
    bool empty() const { return chunks_.empty() && ranges_.empty(); }
    bool contains(store::GameId game) const {
        if (const auto range = ranges_.upper_bound(game);
            range != ranges_.begin() && std::prev(range)->second >= game) {
            return true;
        }
        const auto chunk = chunks_.find(chunk_of(game));
        return chunk != chunks_.end() && (chunk->second[word_of(game)] & bit_of(game)) != 0;
    }
    void insert(store::GameId game) { chunks_[chunk_of(game)][word_of(game)] |= bit_of(game); }
    /// Cost does not depend on the length of the range. Ranges must not overlap.
    void insert_range(store::GameId first, store::GameId last) { ranges_[first] = last; }

    /// Calls visit(GameId) for each game from `first` to `last`, except those in ranges.
    template <typename Visit>
    void for_each(store::GameId first, store::GameId last, Visit visit) const {
        if (last < first) return;
        for (auto chunk = chunks_.lower_bound(chunk_of(first));
             chunk != chunks_.end() && chunk->first <= chunk_of(last); ++chunk) {
            for (std::size_t word = 0; word < kWords; ++word) {
                for (std::uint64_t rest = chunk->second[word]; rest != 0; rest &= rest - 1) {
                    const store::GameId game = chunk->first * codec::kGamesPerChunk + word * 64 +
                                               static_cast<unsigned>(std::countr_zero(rest)) + 1;
                    if (game >= first && game <= last) visit(game);
                }
            }
        }
    }

  private:
    static constexpr std::size_t kWords = codec::kGamesPerChunk / 64;

    static std::uint64_t chunk_of(store::GameId game) { return (game - 1) / codec::kGamesPerChunk; }
    static std::size_t word_of(store::GameId game) {
        return (game - 1) % codec::kGamesPerChunk / 64;
    }
    static std::uint64_t bit_of(store::GameId game) { return std::uint64_t{1} << (game - 1) % 64; }

    std::map<std::uint64_t, std::array<std::uint64_t, kWords>> chunks_;
    std::map<store::GameId, store::GameId> ranges_;
};

}  // namespace fendex::upkeep
