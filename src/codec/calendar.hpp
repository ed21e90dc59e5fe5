// The date of a game as a day of the calendar.
#pragma once

#include <chrono>

#include "codec/date.hpp"

namespace fendex::codec {

/// Returns the date for the calendar of <chrono>. It is not ok() if a part is unknown or wrong.
constexpr std::chrono::year_month_day calendar_day(Date date) {
    return {std::chrono::year(static_cast<int>(date.year())), std::chrono::month(date.month()),
            std::chrono::day(date.day())};
}

}  // namespace fendex::codec
