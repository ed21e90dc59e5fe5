// Predicts which games a caller will ask for next, one by one, so that a reader can fetch them
// together: the rest of the list that the caller got last, or the next numbers. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "store/records.hpp"

namespace fendex::clickhouse {

class ExpectedGames {
  public:
    /// The largest number of games that are fetched together.
    static constexpr std::size_t kMost = 1024;

    /// Sets the list of games that the caller may ask for next.
    void set(std::span<const store::GameId> games) {
        list_.assign(games.begin(), games.end());
        std::ranges::sort(list_);
        list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
    }

    void clear() {
        list_.clear();
        last_ = 0;
        run_ = 1;
    }

    /// Returns the game and those to fetch with it, ascending.
    [[nodiscard]] std::vector<store::GameId> with(store::GameId game) {
        const auto found = std::ranges::lower_bound(list_, game);
        if (found != list_.end() && *found == game) {
            const auto left = static_cast<std::size_t>(list_.end() - found);
            return {found, found + static_cast<std::ptrdiff_t>(std::min(left, kMost))};
        }
        // For a caller that goes from number to number, the run doubles each time. The caller may
        // ask several times for the same game.
        if (game > last_ + run_ || game + run_ <= last_) {
            run_ = 1;
        } else if (game > last_) {
            run_ = std::min(2 * run_, kMost);
        }
        last_ = game + run_ - 1;
        std::vector<store::GameId> out(run_);
        std::iota(out.begin(), out.end(), game);
        return out;
    }

  private:
    std::vector<store::GameId> list_;
    store::GameId last_ = 0;  // the last game of the run that was fetched
    std::size_t run_ = 1;     // number of games of that run
};

}  // namespace fendex::clickhouse
