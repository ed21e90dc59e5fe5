// The results of the games that reached a position, month by month.
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>

#include "query/position_search.hpp"

namespace fendex::query {

struct Results {
    std::uint64_t white = 0;
    std::uint64_t draws = 0;
    std::uint64_t black = 0;

    [[nodiscard]] std::uint64_t games() const { return white + draws + black; }
    bool operator==(const Results&) const = default;
};

/// Results by month (yyyymm). Games without a result or without a month are left out.
using MonthResults = std::map<std::uint32_t, Results>;

/// Adds the games of a database that reached the position and that the search's filter accepts.
/// Throws base::Stopped.
void add_month_results(store::StoreReader& reader, PositionSearch& search,
                       const chess::AnyPosition& position, MonthResults& months,
                       std::stop_token stop = {});

}  // namespace fendex::query
