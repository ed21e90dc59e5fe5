// Values of tags that are stored as numbers, if the number gives the same text back. Pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fendex::store {

/// Returns the number if it is written exactly like this text: for "20", but not for "020" or
/// "20?".
std::optional<std::int64_t> exact_number(std::string_view text);
/// Returns yyyymmdd for texts exactly like "1998.??.??".
std::optional<std::int64_t> exact_date(std::string_view text);
std::string date_text(std::int64_t date);

}  // namespace fendex::store
