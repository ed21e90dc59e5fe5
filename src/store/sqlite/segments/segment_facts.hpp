// Keeps results, ratings and dates of a segment's games in twelve bytes a game, so that several
// threads can work out sums of positions at once. Made by the writer's thread; then any thread may
// read.
#pragma once

#include <vector>

#include "codec/game_facts.hpp"
#include "store/game_range.hpp"
#include "store/sqlite/segments/segmented_writer.hpp"

namespace fendex::store {

class SegmentFacts {
  public:
    /// Reads the facts of these games. Throws StoreError.
    SegmentFacts(const GameRange& games, SegmentedWriter& writer);

    /// Returns the result, ratings and date of a game, which counts from the segment's first game.
    codec::GameFacts operator[](std::uint32_t game) const {
        const Packed& packed = games_[game];
        codec::GameFacts facts;
        facts.result = packed.result;
        facts.white_elo = packed.white_elo;
        facts.black_elo = packed.black_elo;
        facts.date = packed.date;
        return facts;
    }

  private:
    struct Packed {
        codec::Date date;
        std::uint16_t white_elo;
        std::uint16_t black_elo;
        codec::Result result;
    };

    std::vector<Packed> games_;
};

}  // namespace fendex::store
