// Which games a caller will probably ask for next, one by one, so that a reader can fetch them at
// once: the rest of the list that it was given last, or the next numbers. One thread.
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
    /// Most games that are fetched at once.
    static constexpr std::size_t kMost = 1024;

    /// The caller got these games and may ask for more of them.
    void set(std::span<const store::GameId> games) {
        list_.assign(games.begin(), games.end());
        std::sort(list_.begin(), list_.end());
        list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
    }

    void clear() {
        list_.clear();
        last_ = 0;
        run_ = 1;
    }

    /// Returns the game and those to fetch with it, ascending.
    [[nodiscard]] std::vector<store::GameId> with(store::GameId game) {
        const auto found = std::lower_bound(list_.begin(), list_.end(), game);
        if (found != list_.end() && *found == game) {
            const auto left = static_cast<std::size_t>(list_.end() - found);
            return {found, found + static_cast<std::ptrdiff_t>(std::min(left, kMost))};
        }
        // A caller that goes from number to number gets twice as many each time. It may ask for
        // several things of each game.
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
    store::GameId last_ = 0;  // the last of a run of numbers that was fetched
    std::size_t run_ = 1;     // games of that run
};

}  // namespace fendex::clickhouse
