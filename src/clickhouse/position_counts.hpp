// Numbers of games that reached positions, and their results by month. The servers add them up.
#pragma once

#include <span>
#include <vector>

#include "clickhouse/filter_sql.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/engine.hpp"

namespace fendex::clickhouse {

/// store::Engine::counts()
[[nodiscard]] std::vector<store::Engine::Counts> position_counts(
    ReadSession& session, const FilterSql& filter,
    std::span<const std::vector<store::Engine::Target>> questions);

/// store::Engine::months()
[[nodiscard]] std::vector<store::Engine::Month> position_months(ReadSession& session,
                                                                const FilterSql& filter,
                                                                store::Engine::Targets targets);

}  // namespace fendex::clickhouse
