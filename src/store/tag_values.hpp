// Converts values of tags to numbers, if the same text can be made from the number. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/date.hpp"

namespace fendex::store {

/// Returns the number if the text is exactly as the number is written: for "20", but not for "020"
/// or "20?".
std::optional<std::int64_t> exact_number(std::string_view text);
/// Returns the date for a text in exactly the form "1998.??.??".
std::optional<codec::Date> exact_date(std::string_view text);
std::string date_text(codec::Date date);

}  // namespace fendex::store
