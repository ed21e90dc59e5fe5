// Reads values of many games in bulk: whole columns of facts and names, chunk by chunk, for the
// games that fit a filter.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/stop_check.hpp"
#include "store/engine.hpp"
#include "store/game_filter.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

class ColumnScan {
  public:
    /// Looks at the games from `first` on. `reader` must outlive the scan, and must not be
    /// refreshed during it.
    ColumnScan(LocalReader& reader, GameFilter filter, std::vector<GameColumn> columns,
               std::stop_token stop = {}, GameId first = 1);

    /// Games that ascend.
    struct ListedGames {
        explicit ListedGames(std::vector<RankedGame> listed) : games(std::move(listed)) {}
        std::vector<RankedGame> games;
    };
    /// Looks at these games.
    ColumnScan(LocalReader& reader, ListedGames games, std::vector<GameColumn> columns,
               std::stop_token stop = {});

    /// Goes to the next chunk with games that fit. Returns false if there is none. Throws
    /// base::Stopped after a stop was requested.
    bool next();
    /// Returns the indexes in values() of the games that fit, ascending. If the filter takes all
    /// games, the indexes of deleted games are included; their values are 0.
    std::span<const std::uint32_t> places() const { return places_; }
    /// Returns the number of the game at index 0.
    GameId first() const { return first_; }
    /// Returns the values of a column of the chunk; `column` is an index of the constructor's list.
    std::span<const std::uint32_t> values(std::size_t column) const { return values_[column]; }

  private:
    bool next_fitting();

    LocalReader& reader_;
    const GameFilter filter_;
    const bool takes_all_;
    const bool is_listed_ = false;  // all games that fit are in listed_
    std::vector<GameColumn> columns_;
    std::stop_token token_;
    base::StopCheck stop_;
    std::vector<RankedGame> listed_;  // games that fit; unused if all do
    std::size_t next_ = 0;            // index in listed_
    GameId first_ = 0;
    GameId end_;  // of the current chunk
    std::vector<std::uint32_t> places_;
    std::vector<std::vector<std::uint32_t>> values_;
};

}  // namespace fendex::store
