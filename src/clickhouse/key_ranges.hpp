// Divides all keys of positions into ranges, so that one statement has a bounded number of rows.
#pragma once

#include <cstdint>
#include <vector>

namespace fendex::clickhouse {

/// The keys from first to last.
struct KeyRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

/// Returns ranges that together have all keys. If there are `rows` rows in all, each range has
/// about `rows_at_once` of them, or fewer.
[[nodiscard]] inline std::vector<KeyRange> key_ranges(std::uint64_t rows,
                                                      std::uint64_t rows_at_once) {
    const std::uint64_t ranges = rows / rows_at_once + 1;
    const std::uint64_t width = ~std::uint64_t{0} / ranges;
    std::vector<KeyRange> out;
    for (std::uint64_t i = 0; i < ranges; ++i) {
        out.push_back(
            {i * width + (i == 0 ? 0 : 1), i + 1 == ranges ? ~std::uint64_t{0} : (i + 1) * width});
    }
    return out;
}

}  // namespace fendex::clickhouse
