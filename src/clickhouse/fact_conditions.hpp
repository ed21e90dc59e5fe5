// Conditions of filters on facts of games, as SQL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "store/game_filter.hpp"

namespace fendex::clickhouse {

/// Returns the conditions of a filter on columns that the tables game and posting have: "" or
/// " AND (...) AND (...)".
[[nodiscard]] std::string fact_conditions(const store::GameFilter& filter);

/// The value of fine_sum.rating_group if a rating is unknown. Do not change: stored.
inline constexpr std::uint32_t kUnknownRatingGroup = 65535;

/// Returns the condition of a filter on rows of table fine_sum; it has no AND or OR outside of
/// parentheses. No value if the filter compares anything else than what these sums are apart by, or
/// if it may accept some of the games of one sum but not all: it must ask for whole months and
/// whole groups of ratings.
[[nodiscard]] std::optional<std::string> fine_sum_condition(const store::GameFilter& filter);

}  // namespace fendex::clickhouse
