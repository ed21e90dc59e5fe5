// Filters of games by players, events, dates, ratings and the like; all conditions must hold. Every
// kind of question uses them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "store/engine.hpp"
#include "store/filter_error.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

using store::FilterError;
using store::GameFilter;

/// A filter, and the reader of the database whose games it selects. Belongs to the reader's thread.
/// Functions throw base::Stopped after a stop was requested.
class GameMatcher {
  public:
    /// Throws FilterError if the filter names a source that the database does not have.
    explicit GameMatcher(store::StoreReader& reader, GameFilter filter = {},
                         std::stop_token stop = {});

    [[nodiscard]] const store::GameFilter& filter() const { return filter_; }
    /// True if there is no condition: every game fits.
    bool takes_all() const { return takes_all_; }
    /// Returns whether an existing game fits. A question to the engine each time.
    bool operator()(store::GameId game);
    /// Counts all existing games that fit.
    std::uint64_t count();

  private:
    store::StoreReader& reader_;
    GameFilter filter_;
    std::stop_token stop_;
    bool takes_all_;
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
