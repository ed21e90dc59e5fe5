// Encodes the marks of a source for table `source`, column `prefixes`. A mark has the digest of the
// text up to a byte. Marks identify the text when it is read again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pgn/checkpoint.hpp"

namespace fendex::store {

/// Appends a mark if it is after the last one.
void add_prefix(std::string& prefixes, const pgn::Mark& mark);
/// Returns the encoded marks up to a byte of the text.
std::string prefixes_up_to(std::string_view prefixes, std::uint64_t byte);
/// Returns the decoded marks, ascending; stops at damaged bytes.
std::vector<pgn::Mark> marks_of(std::string_view prefixes);

}  // namespace fendex::store
