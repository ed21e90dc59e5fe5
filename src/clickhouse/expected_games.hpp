// Which games a caller will probably ask for next, one by one, so that a reader can fetch them at
// once: the rest of the list that it was given last, or the next numbers. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
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
        run_ = 1;
    }

    /// Returns the game and those to fetch with it, ascending.
    [[nodiscard]] std::vector<store::GameId> with(store::GameId game) {
        const auto found = std::lower_bound(list_.begin(), list_.end(), game);
        const bool is_listed = found != list_.end() && *found == game;
        // A caller that goes from number to number gets twice as many each time.
        run_ = game > last_ && game - last_ <= run_ ? std::min(2 * run_, kMost) : 1;
        if (is_listed) {
            const auto left = static_cast<std::size_t>(list_.end() - found);
            const auto end = found + static_cast<std::ptrdiff_t>(std::min(left, kMost));
            last_ = *(end - 1);
            return {found, end};
        }
        std::vector<store::GameId> out;
        for (std::size_t n = 0; n < run_; ++n) out.push_back(game + n);
        last_ = out.back();
        return out;
    }

  private:
    std::vector<store::GameId> list_;
    store::GameId last_ = 0;  // the last game that was fetched for one
    std::size_t run_ = 1;
};

}  // namespace fendex::clickhouse
