// Filters of games by players, events, dates, ratings and the like; all conditions must hold. Every
// kind of question uses them.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/stop_check.hpp"
#include "query/game_conditions.hpp"
#include "store/engine.hpp"
#include "store/filter_error.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

using store::FilterError;
using store::GameFilter;

/// A filter prepared for the snapshot that a reader sees; it is prepared again when the snapshot
/// changes. Belongs to the reader's thread. The first few games are tested one by one. After that,
/// or for games(), it makes the set of all games that fit. If the reader has an engine, the engine
/// applies the filter, and there are no sets. Functions throw base::Stopped after a stop was
/// requested.
class GameMatcher {
  public:
    explicit GameMatcher(store::StoreReader& reader, GameFilter filter = {},
                         std::stop_token stop = {});
    ~GameMatcher();

    /// The conditions for the store, which may leave out games that do not fit.
    [[nodiscard]] const store::GameFilter& filter() const { return filter_; }
    /// True if there is no condition: every game fits.
    bool takes_all() const { return takes_all_; }
    /// Tests a game. If there is an engine, each call is a query.
    bool operator()(store::GameId game);
    /// Returns all existing games that fit. Throws StoreError (kUnsupported) if there is an engine.
    const GameSet& games();
    /// Counts all existing games that fit.
    std::uint64_t count();

  private:
    void make_ready();
    bool has_tags(store::GameId game);
    std::shared_ptr<const GameSet> fitting();
    GameSet source_games() const;

    store::StoreReader& reader_;
    GameFilter filter_;
    std::stop_token token_;
    base::StopCheck stop_;
    bool takes_all_ = true;
    // These members are valid for one snapshot.
    std::optional<std::uint64_t> snapshot_;
    std::vector<GameCondition> conditions_;
    std::vector<std::pair<store::GameId, store::GameId>> source_games_;  // first, after the last
    std::shared_ptr<const GameSet> games_;
    unsigned single_games_ = 0;
    store::StoredGame game_;
};

using store::GameOrder;
using store::RankedGame;

GameOrder game_order_of(std::string_view name);

inline constexpr std::size_t kAllGames = std::numeric_limits<std::size_t>::max();

/// Sorts games that are in the order of their numbers, each once, and adds their ranks, which can
/// be compared with those of other databases. Throws base::Stopped after a stop was requested.
[[nodiscard]] std::vector<RankedGame> rank_games(store::StoreReader& reader, GameOrder order,
                                                 std::span<const store::GameId> games,
                                                 std::stop_token stop = {});
/// Sorts the games in place, like rank_games(); kId leaves them as they are.
void sort_games(store::StoreReader& reader, GameOrder order, std::vector<store::GameId>& games,
                std::stop_token stop = {});

/// Returns the first `most` games that fit, in an order other than kId, with their ranks. Throws
/// base::Stopped after a stop was requested.
[[nodiscard]] std::vector<RankedGame> select_ranked_games(store::StoreReader& reader,
                                                          GameMatcher& matcher, GameOrder order,
                                                          std::size_t most,
                                                          std::stop_token stop = {});
/// Returns the games that fit, in order, at most `most`. Throws base::Stopped after a stop was
/// requested.
[[nodiscard]] std::vector<store::GameId> select_games(store::StoreReader& reader,
                                                      GameMatcher& matcher,
                                                      GameOrder order = GameOrder::kId,
                                                      std::size_t most = kAllGames,
                                                      std::stop_token stop = {});
/// Returns the games after a number that fit, in the order of numbers, at most `most`.
[[nodiscard]] std::vector<store::GameId> games_after(store::StoreReader& reader,
                                                     GameMatcher& matcher, store::GameId after,
                                                     std::size_t most, std::stop_token stop = {});

}  // namespace fendex::query
