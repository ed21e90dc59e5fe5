// Encodes the marks of a source for table `source`, column `prefixes`: digests of the beginnings of
// its text, by which the text is recognised when it is read again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pgn/checkpoint.hpp"

namespace fendex::store {

/// Appends a mark unless it lies before the last one.
void add_prefix(std::string& prefixes, const pgn::Mark& mark);
/// Returns the marks up to a byte of the text.
std::string prefixes_up_to(std::string_view prefixes, std::uint64_t byte);
/// Returns the marks, ascending; those after damage are left out.
std::vector<pgn::Mark> marks_of(std::string_view prefixes);

}  // namespace fendex::store
