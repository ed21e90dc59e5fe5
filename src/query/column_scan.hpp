// Reads values of many games in bulk: whole columns of facts and names, chunk by chunk, and tells
// which of these games fit a filter.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "base/stop_check.hpp"
#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

class ColumnScan {
  public:
    /// `reader` and `matcher` must outlive the scan, and nothing may refresh the reader meanwhile.
    ColumnScan(store::StoreReader& reader, GameMatcher& matcher,
               std::vector<store::GameColumn> columns, std::stop_token stop = {});

    /// Goes to the next chunk with games that fit; false if there is none. Throws base::Stopped
    /// after a stop was requested.
    bool next();
    /// The places of the games that fit in the values of the chunk, ascending. If every game fits,
    /// places of deleted games are among them: all values of those are 0.
    std::span<const std::uint32_t> places() const { return places_; }
    /// The number of the game at place 0.
    store::GameId first() const { return first_; }
    /// The values of a column; `column` counts those of the constructor from 0.
    std::span<const std::uint32_t> values(std::size_t column) const { return values_[column]; }

  private:
    store::StoreReader& reader_;
    std::vector<store::GameColumn> columns_;
    base::StopCheck stop_;
    bool takes_all_;
    std::vector<std::uint32_t> fitting_;  // empty if all games fit
    std::span<const std::uint32_t> rest_;
    store::GameId first_ = 0;
    store::GameId end_ = 1;  // of the current chunk
    std::vector<std::uint32_t> places_;
    std::vector<std::vector<std::uint32_t>> values_;
};

}  // namespace fendex::query
