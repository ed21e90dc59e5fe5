#include "serve/explorer/performance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "query/opening_tree.hpp"

namespace fendex::serve::explorer {

namespace {

/// The rating differences for scores of 50 to 100 percent. For a score below 50 percent, take that
/// of the opponent and change its sign.
constexpr std::array<double, 51> kDifferences = {
    0,   7,   14,  21,  29,  36,  43,  50,  57,  65,  72,  80,  87,  95,  102, 110, 117,
    125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273,
    284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800};

/// `percent` is from 0 to 100.
double difference_of(double percent) {
    if (percent < 50) return -difference_of(100 - percent);
    const double above = percent - 50;
    const auto whole = static_cast<std::size_t>(above);
    const double part = above - std::floor(above);
    const double low = kDifferences[whole];
    const double high = kDifferences[std::min(whole + 1, kDifferences.size() - 1)];
    return low + (high - low) * part;
}

}  // namespace

std::optional<std::int64_t> performance(const codec::Tally& tally, chess::Color side) {
    const auto wins = static_cast<double>(tally.results.wins_of(side));
    const auto draws = static_cast<double>(tally.results.draws());
    const auto games = static_cast<double>(tally.results.decided());
    const std::optional<double> opponents = query::mean_rating(tally, ~side);
    if (!opponents || games == 0) return std::nullopt;
    return std::llround(*opponents + difference_of((100 * wins + 50 * draws) / games));
}

}  // namespace fendex::serve::explorer
