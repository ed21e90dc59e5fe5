#include "cli/options/game_ranges.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

GameRanges parse_games(const std::string& what, const std::string& list) {
    GameRanges ranges;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string part = list.substr(begin, end - begin);
        const std::size_t dash = part.find('-');
        const store::GameId first = parse_number(what, part.substr(0, dash));
        const store::GameId last =
            dash == std::string::npos ? first : parse_number(what, part.substr(dash + 1));
        if (first > last) {
            throw UsageError(fmt::format("{}: '{}' ends before it begins", what, part));
        }
        ranges.emplace_back(first, last);
        begin = end + 1;
    }
    return ranges;
}

}  // namespace fendex::cli
