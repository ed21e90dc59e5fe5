// A radix sort of records by their keys, which should be spread evenly, and of those with the same
// key by the rest of the record.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace fendex::store {

/// Compares by key, then by rest.
template <typename Record>
concept SortableRecord = std::is_trivially_copyable_v<Record> && requires(const Record& record) {
    { record.key } -> std::convertible_to<std::uint64_t>;
    { record.rest } -> std::convertible_to<std::uint64_t>;
    { record < record } -> std::same_as<bool>;
};

template <SortableRecord Record>
class RadixSort {
  public:
    /// Sorts records whose keys agree in all but the lowest `bits` bits. Sorts in place ("American
    /// flag": each record is swapped to where its digit belongs), because a position that all games
    /// share has as many records as there are games, and a second copy would need too much memory.
    static void sort(std::span<Record> records, unsigned bits) {
        if (records.size() <= kInsertionSize) return insertion_sort(records);
        const std::uint64_t first = records.front().key;
        if (bits == 0 || std::all_of(records.begin(), records.end(),
                                     [&](const Record& r) { return r.key == first; })) {
            // All keys are equal; the rest is a number and nearly sorted.
            std::sort(records.begin(), records.end(),
                      [](const Record& a, const Record& b) { return a.rest < b.rest; });
            return;
        }
        const auto size_bits = static_cast<unsigned>(std::bit_width(records.size()));
        const unsigned digit_bits =
            std::min({kMaxDigitBits, bits, size_bits > 4 ? size_bits - 3 : 1});
        const unsigned shift = bits - digit_bits;
        const std::size_t digits = std::size_t{1} << digit_bits;
        const auto digit_of = [&](const Record& r) { return r.key >> shift & (digits - 1); };
        /// The place of the next record of each digit.
        std::array<std::uint32_t, 1U << kMaxDigitBits> next;
        std::array<std::uint32_t, 1U << kMaxDigitBits> ends;
        std::fill_n(ends.begin(), digits, 0U);
        for (const Record& r : records) ++ends[digit_of(r)];
        std::uint32_t sum = 0;
        for (std::size_t digit = 0; digit < digits; ++digit) {
            next[digit] = sum;
            sum += ends[digit];
            ends[digit] = sum;
        }
        for (std::size_t digit = 0; digit < digits; ++digit) {
            while (next[digit] < ends[digit]) {
                Record moving = records[next[digit]];
                for (std::size_t home = digit_of(moving); home != digit; home = digit_of(moving)) {
                    std::swap(moving, records[next[home]++]);
                }
                records[next[digit]++] = moving;
            }
        }
        std::uint32_t begin = 0;
        for (std::size_t digit = 0; digit < digits; ++digit) {
            const std::uint32_t size = ends[digit] - begin;
            if (size > 1) sort(records.subspan(begin, size), shift);
            begin = ends[digit];
        }
    }

  private:
    static constexpr std::size_t kInsertionSize = 24;
    static constexpr unsigned kMaxDigitBits = 11;

    static void insertion_sort(std::span<Record> records) {
        for (std::size_t i = 1; i < records.size(); ++i) {
            const Record moving = records[i];
            std::size_t hole = i;
            for (; hole > 0 && moving < records[hole - 1]; --hole)
                records[hole] = records[hole - 1];
            records[hole] = moving;
        }
    }
};

/// Sorts by key, then by rest.
template <SortableRecord Record>
void sort_records(std::vector<Record>& records) {
    RadixSort<Record>::sort(records, 64);
}

}  // namespace fendex::store
