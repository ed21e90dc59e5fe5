// The summary of a big position: sums over its games, and its best and latest games. On request
// also fine sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "codec/big_position.hpp"
#include "codec/fine_sums.hpp"
#include "store/records.hpp"
#include "store/sqlite/segments/group_tally.hpp"

namespace fendex::store {

struct SummedPosition {
    codec::PositionSummary summary;            // the numbers of chunks are 0
    std::optional<codec::FineSums> fine = {};  // empty if not asked for, or too many
};

/// Which fine sums to make.
struct FineRequest {
    codec::FinePeriod period = codec::FinePeriod::kMonth;
    /// If there are more, there will be none.
    std::size_t most = std::numeric_limits<std::size_t>::max();
};

/// Sums up one position, posting by posting.
class PositionSum {
  public:
    /// Returns the facts of a game, which counts from the segment's first game.
    using Facts = std::function<codec::GameFacts(std::uint32_t game)>;

    /// `seen` must be false for every game; add() grows it and sets it for those added.
    PositionSum(std::vector<bool>& seen, const Facts& facts,
                std::optional<FineRequest> fine = std::nullopt);

    /// Adds a posting. Those of one move come one after the other, in the order of games.
    void add(chess::Move next, std::uint32_t game);
    [[nodiscard]] SummedPosition finish();

  private:
    void end_group();

    std::vector<bool>& seen_;
    const Facts& facts_;
    std::optional<FineRequest> fine_;  // empty: not asked for, or too many
    SummedPosition out_;
    std::size_t fine_sums_ = 0;
    std::vector<std::uint32_t> again_;  // games in several groups, once for each after the first
    bool in_group_ = false;
    chess::Move next_;
    GroupTally tally_;
    codec::FineSumsBuilder fine_sums_of_group_;
    codec::GameFacts game_facts_;  // of the last game
};

/// Sums up positions, one after the other. Reuses its memory.
class PositionSummarizer {
  public:
    /// Returns the sums of a position. `sorted` are all its postings. If facts() throws, do not use
    /// the object again.
    SummedPosition summarise(std::span<const codec::Posting> sorted,
                             const PositionSum::Facts& facts,
                             std::optional<FineRequest> fine = std::nullopt);

  private:
    std::vector<bool> seen_;  // [game]; all false between two calls
};

}  // namespace fendex::store
