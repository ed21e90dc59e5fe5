// What a tree of a position is asked.
#pragma once

#include "ask/fields.hpp"

namespace fendex::ask {

/// The fields besides the filter.
[[nodiscard]] Fields tree_fields();

}  // namespace fendex::ask
