// The plies that a sample has selected, by game.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "store/records.hpp"

namespace fendex::emit {

class SampledPlies {
  public:
    struct Place {
        store::GameId game = 0;
        std::uint32_t ply = 0;

        auto operator<=>(const Place&) const = default;
    };

    explicit SampledPlies(std::vector<Place> places) {
        std::ranges::sort(places);
        for (const Place& place : places) {
            if (games_.empty() || games_.back() != place.game) {
                games_.push_back(place.game);
                begin_.push_back(plies_.size());
            }
            plies_.push_back(place.ply);
        }
        begin_.push_back(plies_.size());
    }

    std::uint64_t size() const { return plies_.size(); }
    /// Returns the plies of a game, ascending.
    std::span<const std::uint32_t> of(store::GameId game) const {
        const auto found = std::ranges::lower_bound(games_, game);
        if (found == games_.end() || *found != game) return {};
        const auto i = static_cast<std::size_t>(found - games_.begin());
        return std::span(plies_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
    }

  private:
    std::vector<store::GameId> games_;  // ascending
    std::vector<std::size_t> begin_;    // where the plies of each game begin, and the end
    std::vector<std::uint32_t> plies_;
};

}  // namespace fendex::emit
