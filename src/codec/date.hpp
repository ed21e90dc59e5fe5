// The date of a game, or as much of it as is known: unknown parts are 0. Do not change: on disk.
#pragma once

#include <compare>
#include <cstdint>

namespace fendex::codec {

class Date {
  public:
    /// From the stored number yyyymmdd.
    constexpr Date(std::uint32_t number = 0) : number_(number) {}
    constexpr Date(std::uint32_t year, std::uint32_t month, std::uint32_t day)
        : number_((year * 100 + month) * 100 + day) {}
    /// From yyyymm.
    static constexpr Date of_month(std::uint32_t number) { return number * 100; }
    /// From a number of months since January of year 0.
    static constexpr Date of_months(std::uint32_t months) {
        return {months / 12, months % 12 + 1, 0};
    }

    constexpr std::uint32_t number() const { return number_; }
    constexpr std::uint32_t year() const { return number_ / 10'000; }
    constexpr std::uint32_t month() const { return number_ / 100 % 100; }
    constexpr std::uint32_t day() const { return number_ % 100; }
    constexpr bool has_month() const { return year() != 0 && month() != 0; }
    /// Returns yyyymm.
    constexpr std::uint32_t month_number() const { return number_ / 100; }
    /// Returns the number of months since January of year 0. An unknown month counts as January.
    constexpr std::uint32_t months() const {
        return year() * 12 + (month() == 0 ? 0 : month() - 1);
    }
    // The first and the last day that the date allows.
    constexpr Date first_day() const {
        if (month() == 0) return {year(), 1, 1};
        return day() == 0 ? Date(year(), month(), 1) : *this;
    }
    constexpr Date last_day() const {
        if (month() == 0) return {year(), 12, 31};
        return day() == 0 ? Date(year(), month(), 31) : *this;
    }

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for a pointer
    constexpr auto operator<=>(const Date&) const = default;

  private:
    std::uint32_t number_;
};

/// The lowest date with a year.
inline constexpr Date kFirstYear{1, 0, 0};

/// Returns whether a game of `date` was certainly played before a game of `other`. A date without a
/// month has no day either. Returns false if a year is unknown.
constexpr bool is_certainly_before(Date date, Date other) {
    return date.year() != 0 && other.year() != 0 && date.last_day() < other.first_day();
}

}  // namespace fendex::codec
