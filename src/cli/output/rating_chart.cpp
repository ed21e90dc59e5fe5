#include "cli/output/rating_chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "codec/date.hpp"

namespace fendex::cli {

namespace {

/// Steps in the height of one row of characters.
constexpr std::uint32_t kSteps = 8;
/// Width of "2850 |".
constexpr std::size_t kAxisWidth = 6;
constexpr std::size_t kMostColumns = 100;
constexpr std::size_t kYearWidth = 4;

std::uint32_t months_since_0(std::uint32_t month) { return codec::Date::of_month(month).months(); }

/// Returns a block that fills the lowest `steps` steps of its row.
std::string block(std::uint32_t steps) {
    if (steps == 0) return " ";
    std::string out = "\xE2\x96\x80";  // U+2580; U+2581 is one step high, U+2588 is full
    out.back() = static_cast<char>(static_cast<unsigned char>(out.back()) + steps);
    return out;
}

std::vector<std::uint32_t> columns_of(const std::vector<MonthRating>& months, std::size_t columns) {
    const std::uint32_t first = months_since_0(months.front().first);
    const std::uint32_t span = months_since_0(months.back().first) - first;
    std::vector<std::uint32_t> out;
    auto next = months.begin();
    for (std::size_t i = 0; i < columns; ++i) {
        const auto until = first + static_cast<std::uint32_t>(i * span / (columns - 1));
        while (next != months.end() && months_since_0(next->first) <= until) ++next;
        out.push_back(std::prev(next)->second);
    }
    return out;
}

/// Returns the line of years under the columns: the first, the last, and as many between as fit.
std::string line_of_years(const std::vector<MonthRating>& months, std::size_t columns) {
    std::string line(kAxisWidth + columns + kYearWidth, ' ');
    const std::uint32_t first = months_since_0(months.front().first);
    const std::uint32_t span = months_since_0(months.back().first) - first;
    std::size_t free = 0;
    const std::uint32_t last_year = codec::Date::of_month(months.back().first).year();
    for (std::uint32_t year = first / 12; year <= last_year; ++year) {
        const std::uint32_t at = std::max(first, year * 12) - first;
        const std::size_t column = at * (columns - 1) / span;
        if (column < free) continue;
        line.replace(kAxisWidth + column, kYearWidth, fmt::format("{:04}", year));
        free = column + kYearWidth + 2;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

std::vector<std::string> rating_chart(const std::vector<MonthRating>& months, std::size_t width,
                                      std::size_t height) {
    if (months.size() < 2) return {};
    const std::uint32_t span =
        months_since_0(months.back().first) - months_since_0(months.front().first);
    const std::size_t room = width > kAxisWidth + 10 ? width - kAxisWidth : 10;
    const std::size_t columns =
        std::clamp<std::size_t>(span + std::size_t{1}, 2, std::min(room, kMostColumns));
    const std::vector<std::uint32_t> ratings = columns_of(months, columns);
    const auto [low, high] = std::minmax_element(ratings.begin(), ratings.end());
    // The lowest rating is at least one step high.
    const std::uint32_t bottom = *low - *low % 50;
    const std::uint32_t top = std::max(*high + (50 - *high % 50) % 50, bottom + 50);
    const auto steps = static_cast<std::uint32_t>(height) * kSteps;
    std::vector<std::string> lines;
    for (std::size_t row = height; row-- > 0;) {
        const std::uint32_t edge = bottom + (top - bottom) * static_cast<std::uint32_t>(row + 1) /
                                                static_cast<std::uint32_t>(height);
        std::string line = fmt::format("{:>4} \xE2\x94\x82", edge);
        for (const std::uint32_t rating : ratings) {
            const std::uint32_t filled = std::max(1U, (rating - bottom) * steps / (top - bottom));
            const auto below = static_cast<std::uint32_t>(row) * kSteps;
            line += block(filled <= below ? 0 : std::min(kSteps, filled - below));
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    lines.push_back(line_of_years(months, columns));
    return lines;
}

}  // namespace fendex::cli
