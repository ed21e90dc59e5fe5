#include "store/column_scan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "store/engine.hpp"
#include "store/game_chunks.hpp"

namespace fendex::store {

namespace {

/// The number of games that fit which are listed at once.
constexpr std::size_t kGamesOfScan = std::size_t{1} << 16;

}  // namespace

ColumnScan::ColumnScan(LocalReader& reader, GameFilter filter, std::vector<GameColumn> columns,
                       std::stop_token stop, GameId first)
    : reader_(reader),
      filter_(std::move(filter)),
      takes_all_(filter_ == GameFilter{}),
      columns_(std::move(columns)),
      token_(std::move(stop)),
      stop_(token_),
      end_(first),
      values_(columns_.size()) {}

ColumnScan::ColumnScan(LocalReader& reader, ListedGames games, std::vector<GameColumn> columns,
                       std::stop_token stop)
    : reader_(reader),
      takes_all_(false),
      is_listed_(true),
      columns_(std::move(columns)),
      token_(std::move(stop)),
      stop_(token_),
      listed_(std::move(games.games)),
      end_(1),
      values_(columns_.size()) {}

bool ColumnScan::next() {
    stop_();
    if (takes_all_) {
        if (end_ > reader_.last_game()) return false;
        first_ = end_;
        end_ = std::min<GameId>(end_of_chunk(first_), reader_.last_game() + 1);
        places_.resize(end_ - first_);
        std::iota(places_.begin(), places_.end(), 0U);
    } else if (!next_fitting()) {
        return false;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        values_[i].resize(end_ - first_);
        reader_.column(columns_[i], first_, values_[i]);
    }
    return true;
}

/// Goes to the next games of one chunk that fit. Returns false if there are none.
bool ColumnScan::next_fitting() {
    if (next_ == listed_.size()) {
        if (is_listed_) return false;
        listed_ = reader_.engine().games(filter_, GameOrder::kId, RankedGame{0, end_ - 1},
                                         kGamesOfScan, token_);
        next_ = 0;
        if (listed_.empty()) return false;
    }
    first_ = listed_[next_].game;
    const GameId chunk_end = end_of_chunk(first_);
    places_.clear();
    for (; next_ < listed_.size() && listed_[next_].game < chunk_end; ++next_) {
        places_.push_back(static_cast<std::uint32_t>(listed_[next_].game - first_));
    }
    end_ = first_ + places_.back() + 1;
    return true;
}

}  // namespace fendex::store
