// How far two words are apart, for suggestions.
#pragma once

#include <cstddef>
#include <string_view>

namespace fendex::base {

/// How many bytes must be added, left out, changed or swapped with their neighbour; `most` + 1 if
/// they are more than `most`.
std::size_t edits_between(std::string_view a, std::string_view b, std::size_t most);

}  // namespace fendex::base
