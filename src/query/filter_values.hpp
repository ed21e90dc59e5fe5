// The values that conditions of a filter are written with: dates, ranges, codes. Throws
// std::invalid_argument for a text that is no such value, and says what to write instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "codec/game_facts.hpp"
#include "query/game_filter.hpp"

namespace fendex::query {

/// "2004", "2004-11", "2004.11.05": the first (or last) yyyymmdd that belongs to it, unknown parts
/// counting as the earliest.
std::uint32_t first_date(const std::string& text);
std::uint32_t last_date(const std::string& text);
/// "2500-2600", "2500-", "-2600", "2500".
NumberRange number_range(const std::string& text);
std::uint32_t filter_number(const std::string& text);
/// "B90", "B90-B99", "B9", "B-C".
std::pair<std::string, std::string> eco_range(std::string text);
/// "1-0", "0-1", "1/2-1/2", "*", or white, black, draw.
codec::Result result_value(const std::string& text);
codec::TimeClass time_class_value(const std::string& text);
/// A variant's name in any usual spelling, or "other".
chess::Variant variant_value(const std::string& text);

}  // namespace fendex::query
