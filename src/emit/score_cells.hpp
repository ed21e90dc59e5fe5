// The numbers of a sum of games as cells of a row.
#pragma once

#include <cmath>
#include <cstdint>

#include "codec/big_position.hpp"
#include "emit/rows.hpp"

namespace fendex::emit {

inline Cell count_cell(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// White's score in percent, with one decimal; empty if no game has a result.
inline Cell score_cell(const codec::Tally& tally) {
    const auto games = static_cast<double>(tally.results.decided());
    if (games == 0) return Null{};
    const double points =
        static_cast<double>(tally.results.white()) + static_cast<double>(tally.results.draws()) / 2;
    return std::round(1000 * points / games) / 10;
}

/// The mean rating of all players who have one.
inline Cell rating_cell(const codec::Tally& tally) {
    const std::uint64_t ratings = tally.white_elo_games + tally.black_elo_games;
    if (ratings == 0) return Null{};
    return count_cell((tally.white_elo_sum + tally.black_elo_sum + ratings / 2) / ratings);
}

inline Cell year_cell(codec::Date date) {
    if (date.year() == 0) return Null{};
    return std::int64_t{date.year()};
}

}  // namespace fendex::emit
