// Repeated positions, and runs without capture and pawn move: lists, page by page, and sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clickhouse/filter_sql.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/engine.hpp"

namespace fendex::clickhouse {

// The functions of store::Engine with these names. `filter` is that of the question.

[[nodiscard]] std::vector<store::Engine::RepetitionOfGame> list_repetitions(
    ReadSession& session, FilterSql filter, const store::Engine::RepetitionQuestion& question,
    GameId from, std::size_t most);
[[nodiscard]] std::vector<store::Engine::QuietRunOfGame> list_quiet_runs(
    ReadSession& session, FilterSql filter, const store::Engine::QuietRunQuestion& question,
    GameId from, std::size_t most);
[[nodiscard]] store::Engine::RepetitionSums repetition_sums(
    ReadSession& session, const FilterSql& filter, std::uint32_t min_count,
    const store::Engine::RepetitionLists& most);

}  // namespace fendex::clickhouse
