// Parses the values of filter conditions: dates, ranges, codes. Functions throw
// std::invalid_argument for an invalid text; the message says what to write instead.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "codec/game_facts.hpp"
#include "query/hit_evaluations.hpp"
#include "store/game_filter.hpp"

namespace fendex::ask {

/// Returns the lowest yyyymmdd that is equivalent to this one. Unknown parts are 0 and count as the
/// first month or day, so 20040101 becomes 20040000.
std::uint32_t least_date_like(codec::Date date);
/// Read "2004", "2004-11" or "2004.11.05" and return the first (or last) yyyymmdd in it. Unknown
/// parts of a game's date count as the first month or day: 1993.??.?? is in 1993-01, and so is
/// 1993.01.??.
std::uint32_t first_date(const std::string& text);
std::uint32_t last_date(const std::string& text);
/// Reads "2500-2600", "2500-", "-2600" or "2500".
store::NumberRange number_range(const std::string& text);
std::uint32_t filter_number(const std::string& text);
/// Reads centipawns that a move can lose.
std::uint32_t swing_value(const std::string& text);
/// Reads "-50..50", "150..", "..-150", "#5..#1" (White mates in one to five moves) or "35".
query::ScoreRange score_range(const std::string& text);
/// Reads "B90", "B90-B99", "B9" or "B-C".
std::pair<std::string, std::string> eco_range(std::string text);
/// Reads "1-0", "0-1", "1/2-1/2", "*", or white, black, draw.
codec::Result result_value(const std::string& text);
codec::TimeClass time_class_value(const std::string& text);
codec::Mode mode_value(const std::string& text);
/// Reads a variant's name in any usual spelling, or "other".
chess::Variant variant_value(const std::string& text);

}  // namespace fendex::ask
