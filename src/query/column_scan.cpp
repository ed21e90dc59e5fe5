#include "query/column_scan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "codec/columns.hpp"
#include "query/game_set.hpp"

namespace fendex::query {

ColumnScan::ColumnScan(store::StoreReader& reader, GameMatcher& matcher,
                       std::vector<store::GameColumn> columns, std::stop_token stop)
    : reader_(reader),
      columns_(std::move(columns)),
      stop_(std::move(stop)),
      takes_all_(matcher.takes_all()),
      values_(columns_.size()) {
    if (!takes_all_) fitting_ = matcher.games().numbers();
    rest_ = fitting_;
}

bool ColumnScan::next() {
    stop_();
    if (takes_all_) {
        if (end_ > reader_.last_game()) return false;
        first_ = end_;
        end_ = std::min<store::GameId>(end_of_chunk(first_), reader_.last_game() + 1);
        places_.resize(end_ - first_);
        std::iota(places_.begin(), places_.end(), 0U);
    } else {
        if (rest_.empty()) return false;
        first_ = rest_.front();
        const auto games = take_games_before(end_of_chunk(first_), rest_);
        end_ = store::GameId{games.back()} + 1;
        places_.resize(games.size());
        std::transform(games.begin(), games.end(), places_.begin(), [&](std::uint32_t game) {
            return static_cast<std::uint32_t>(game - first_);
        });
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        values_[i].resize(end_ - first_);
        reader_.column(columns_[i], first_, values_[i]);
    }
    return true;
}

}  // namespace fendex::query
