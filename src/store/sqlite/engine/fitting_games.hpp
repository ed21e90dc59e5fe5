// The games of a snapshot that fit a filter. A few games are tested one by one; after that, or when
// it is needed, the set of all games that fit is made. Sums over a position test the facts of its
// games instead, if that is enough and the filter is new. If games must be replayed
// (record_swings.hpp), only those are that the question is about. Functions throw base::Stopped.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/huge_allocator.hpp"
#include "base/stop_check.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/fact_test.hpp"
#include "store/sqlite/engine/game_conditions.hpp"
#include "store/sqlite/engine/game_set.hpp"
#include "store/sqlite/engine/record_swings.hpp"

namespace fendex::store {

class FittingGames {
  public:
    /// Looks up names and sources. Throws FilterError if there is no such source.
    FittingGames(LocalReader& reader, const GameFilter& filter, base::StopCheck& stop);
    FittingGames(const FittingGames&) = delete;
    FittingGames& operator=(const FittingGames&) = delete;

    [[nodiscard]] const GameFilter& filter() const { return filter_; }
    /// Returns the key of the filter for the snapshot cache, whose values begin with `what`.
    [[nodiscard]] std::string key(std::string_view what) const;
    /// Returns the number of the snapshot for which the names were looked up.
    [[nodiscard]] std::uint64_t snapshot() const { return snapshot_; }
    /// Returns whether there is no condition: every game fits.
    [[nodiscard]] bool takes_all() const { return takes_all_; }

    /// Returns whether an existing game fits.
    bool contain(GameId game, base::StopCheck& stop);
    /// Returns all existing games that fit.
    const GameSet& all(base::StopCheck& stop);
    /// Returns all() as bits: bit n of word w is for game 64 w + n.
    const base::HugeVector<std::uint64_t>& bits(base::StopCheck& stop);
    /// Returns whether bits() is better than contain() for testing so many games. It is not if
    /// games must be replayed.
    [[nodiscard]] bool prefers_bits(std::uint64_t games) const;
    /// Returns the test by facts; empty if facts do not decide.
    [[nodiscard]] const std::optional<FactTest>& fact_test() const { return fact_test_; }
    /// Returns whether fact_test() is better than all() for the games of one position: facts
    /// decide, all() has not been made, and this is the first question with the filter in this
    /// snapshot. To make all() takes longer, but later questions can use it.
    [[nodiscard]] bool prefers_fact_test() const;
    /// Says that a question was answered with fact_test() because of that.
    void set_tested();
    /// Returns the games of a set that fit, ascending.
    std::vector<std::uint32_t> of(const GameSet& games, base::StopCheck& stop);

  private:
    bool has_tags(GameId game);
    bool fits_by_row(GameId game, base::StopCheck& stop);
    /// Returns the games that fit by columns: also games whose rows do not fit.
    const GameSet& by_columns(base::StopCheck& stop);
    std::shared_ptr<const GameSet> fitting_by_columns(base::StopCheck& stop);
    std::shared_ptr<const GameSet> fitting(base::StopCheck& stop);

    LocalReader& reader_;
    const GameFilter filter_;
    const std::uint64_t snapshot_;
    const bool takes_all_;
    std::vector<GameCondition> conditions_;
    std::optional<FactTest> fact_test_;
    std::optional<RecordSwings> record_swings_;  // empty if swings do not depend on records
    std::vector<std::pair<GameId, GameId>> source_games_;  // first, after the last
    std::shared_ptr<const GameSet> by_columns_;
    std::shared_ptr<const GameSet> games_;
    base::HugeVector<std::uint64_t> bits_;  // of games_; empty if they were not needed
    unsigned single_games_ = 0;
    StoredGame game_;
};

}  // namespace fendex::store
