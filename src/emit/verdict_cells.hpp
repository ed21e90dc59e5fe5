// An evaluation as cells of a row: cp and mate, of which one is empty, and depth.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "emit/rows.hpp"
#include "query/evaluations.hpp"

namespace fendex::emit {

inline constexpr std::array<std::string_view, 3> kVerdictColumns = {"cp", "mate", "depth"};

inline void append_verdict_cells(const std::optional<query::Verdict>& verdict,
                                 std::vector<Cell>& cells) {
    if (!verdict) {
        cells.insert(cells.end(), kVerdictColumns.size(), Null{});
        return;
    }
    const Cell score = std::int64_t{verdict->score.value};
    const bool is_mate = verdict->score.is_mate;
    cells.push_back(is_mate ? Cell{Null{}} : score);
    cells.push_back(is_mate ? score : Cell{Null{}});
    cells.emplace_back(std::int64_t{verdict->depth});
}

}  // namespace fendex::emit
