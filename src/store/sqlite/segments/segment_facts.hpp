// Keeps what is summed up of a segment's games in twelve bytes a game, so that several threads can
// work out sums of positions at once. Made by the writer's thread; then any thread may
// read.
#pragma once

#include <vector>

#include "codec/fine_sums.hpp"
#include "codec/game_facts.hpp"
#include "store/game_range.hpp"
#include "store/sqlite/segments/segmented_writer.hpp"

namespace fendex::store {

class SegmentFacts {
  public:
    /// Reads the facts of these games. Throws StoreError.
    SegmentFacts(const GameRange& games, SegmentedWriter& writer);

    /// Returns the facts of a game, which counts from the segment's first game, without its length.
    codec::GameFacts operator[](std::uint32_t game) const {
        const Packed& packed = games_[game];
        codec::GameFacts facts;
        facts.result = packed.result;
        facts.white_elo = packed.white_elo;
        facts.black_elo = packed.black_elo;
        facts.date = packed.date;
        facts.time_class = packed.time_class;
        facts.mode = packed.mode;
        facts.variant = packed.variant;
        return facts;
    }
    /// Returns how fine sums tell the dates of these games apart.
    codec::FinePeriod period() const { return period_; }

  private:
    struct Packed {
        codec::Date date;
        std::uint16_t white_elo;
        std::uint16_t black_elo;
        codec::Result result;
        codec::TimeClass time_class;
        codec::Mode mode;
        chess::Variant variant;
    };
    static_assert(sizeof(Packed) == 12);

    std::vector<Packed> games_;
    codec::FinePeriod period_ = codec::FinePeriod::kMonth;
};

}  // namespace fendex::store
