// Some data are derived from every game by a table or a rule that may change. A number in meta
// names the table or rule that was used for all games. 0, or no such row, means an earlier one or
// several. On disk (schema/FORMAT.md).
#pragma once

#include <array>
#include <cstdint>

#include "codec/swing.hpp"
#include "replay/opening_names.hpp"
#include "replay/tag_facts.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

struct DerivedMark {
    const char* meta;
    std::uint64_t ours;  // the number of the table or rule that this program uses
};

inline constexpr DerivedMark kOpeningsMark{kOpeningsMeta, replay::kOpeningTableMark};
inline constexpr DerivedMark kTagFactsMark{kTagFactsMeta, replay::kTagFactRule};
inline constexpr DerivedMark kSwingsMark{kSwingsMeta, codec::kSwingRule};
inline constexpr std::array kDerivedMarks{kOpeningsMark, kTagFactsMark, kSwingsMark};

}  // namespace fendex::store
