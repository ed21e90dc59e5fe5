// The numbers of a sum of games as cells of a row.
#pragma once

#include <cmath>
#include <cstdint>

#include "codec/big_position.hpp"
#include "emit/rows.hpp"

namespace fendex::emit {

inline Cell count_cell(std::uint64_t count) { return static_cast<std::int64_t>(count); }

inline Cell result_cell(const codec::Tally& tally, codec::Result result) {
    return count_cell(tally.results[static_cast<unsigned>(result)]);
}

/// White's score in percent, with one decimal; empty if no game has a result.
inline Cell score_cell(const codec::Tally& tally) {
    const auto of = [&](codec::Result result) {
        return static_cast<double>(tally.results[static_cast<unsigned>(result)]);
    };
    using enum codec::Result;
    const double games = of(kWhiteWins) + of(kDraw) + of(kBlackWins);
    if (games == 0) return Null{};
    return std::round(1000 * (of(kWhiteWins) + of(kDraw) / 2) / games) / 10;
}

/// The mean rating of all players who have one.
inline Cell rating_cell(const codec::Tally& tally) {
    const std::uint64_t ratings = tally.white_elo_games + tally.black_elo_games;
    if (ratings == 0) return Null{};
    return count_cell((tally.white_elo_sum + tally.black_elo_sum + ratings / 2) / ratings);
}

/// `date` is yyyymmdd or 0.
inline Cell year_cell(std::uint32_t date) {
    if (date < 10'000) return Null{};
    return std::int64_t{date / 10'000};
}

}  // namespace fendex::emit
