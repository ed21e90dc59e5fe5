// Edit distance of two words, for suggestions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::base {

/// Returns how many bytes must be inserted, deleted, changed or swapped with their neighbour to
/// turn `a` into `b`, or `most` + 1 if it takes more than `most`.
std::size_t edits_between(std::string_view a, std::string_view b, std::size_t most);

/// Returns " (did you mean 'json'?)" if one of the names is close to `word`, else an empty text.
std::string suggestion(const std::string& word, const std::vector<std::string>& names);

}  // namespace fendex::base
