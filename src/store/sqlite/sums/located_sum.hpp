// A sum of the checksums of rows, and a second sum of each checksum times the number of its row. If
// only one row was changed or lost, the second sum shows which. Do not change: on disk
// (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <optional>

namespace fendex::store {

struct LocatedSum {
    std::uint64_t sum = 0;
    std::uint64_t place = 0;

    static LocatedSum of_row(std::uint64_t row, std::uint32_t checksum) {
        return {checksum, row * checksum};
    }
    LocatedSum& operator+=(const LocatedSum& other) {
        sum += other.sum;
        place += other.place;
        return *this;
    }
    LocatedSum& operator-=(const LocatedSum& other) {
        sum -= other.sum;
        place -= other.place;
        return *this;
    }
};
inline LocatedSum operator+(LocatedSum a, const LocatedSum& b) { return a += b; }
inline LocatedSum operator-(LocatedSum a, const LocatedSum& b) { return a -= b; }

/// Returns the number of the row that was changed or lost; empty if the difference of two sums
/// cannot come from one row.
std::optional<std::uint64_t> only_changed_row(const LocatedSum& difference);

}  // namespace fendex::store
