// What is derived from every game by a table or a rule that may change: a number in meta names the
// one that all games had; 0, or no such row: an earlier one, or several. On disk
// (schema/FORMAT.md).
#pragma once

#include <array>
#include <cstdint>

#include "replay/opening_names.hpp"
#include "replay/tag_facts.hpp"
#include "store/sqlite/seals.hpp"

namespace fendex::store {

struct DerivedMark {
    const char* meta;
    /// Returns the number of what this program uses. That of openings reads their table.
    std::uint64_t (*ours)();
};

inline constexpr DerivedMark kOpeningsMark{kOpeningsMeta, replay::opening_table_mark};
inline constexpr DerivedMark kTagFactsMark{kTagFactsMeta, [] { return replay::kTagFactRule; }};
inline constexpr std::array kDerivedMarks{kOpeningsMark, kTagFactsMark};

}  // namespace fendex::store
