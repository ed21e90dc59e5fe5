// Sorts records by key, then by the rest of the record, with a radix sort. Keys should be spread
// evenly.
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

template <typename Record>
concept SortableRecord = std::is_trivially_copyable_v<Record> && requires(const Record& record) {
    { record.key } -> std::convertible_to<std::uint64_t>;
    { record.rest } -> std::convertible_to<std::uint64_t>;
};

/// Sorts digit by digit, from the highest bit in which records differ.
template <SortableRecord Record>
class RadixSort {
  public:
    /// Sorts in place ("American flag": each record is swapped to the place of its digit). A
    /// position that all games share has as many records as there are games, so a second copy would
    /// need too much memory.
    static void sort(std::span<Record> records) { sort_by<Part::kKey>(records); }

    /// Sorts the records of several places into `out`, which has room for all. The first
    /// `common_bits` bits of all keys must be equal. adjust(record) may change the rest of a
    /// record.
    template <typename Adjust>
    static void sort_into(std::span<Record> out, std::span<const std::span<const Record>> places,
                          unsigned common_bits, Adjust adjust) {
        Digits<kFirstDigitBits> digits(~std::uint64_t{0} >> common_bits, out.size());
        for (const std::span<const Record> place : places) {
            for (const Record& r : place) digits.count(r.key);
        }
        digits.sum_up();
        for (const std::span<const Record> place : places) {
            for (const Record& r : place) {
                Record& home = out[digits.next(digits.of(r.key))++];
                home = r;
                adjust(home);
            }
        }
        sort_digits<Part::kKey>(out, digits);
    }

  private:
    enum class Part { kKey, kRest };

    static constexpr std::size_t kInsertionSize = 24;
    // The first digit can be longer than the later ones, whose tables are all on the stack at once.
    // With this many values, few records share a digit.
    static constexpr unsigned kFirstDigitBits = 15;
    static constexpr unsigned kDigitBits = 11;

    /// The digit of a value is formed by the highest bits that differ. This class also has the
    /// place of each digit's records.
    template <unsigned kMaxBits>
    class Digits {
      public:
        Digits(std::uint64_t differing, std::size_t records) {
            const auto bits = static_cast<unsigned>(std::bit_width(differing));
            const auto size_bits = static_cast<unsigned>(std::bit_width(records));
            const unsigned digit_bits = std::min({kMaxBits, bits, std::max(size_bits, 2U) - 1});
            shift_ = bits - digit_bits;
            number_ = std::size_t{1} << digit_bits;
            std::fill_n(ends_.begin(), number_, 0U);
        }
        std::size_t number() const { return number_; }
        std::size_t of(std::uint64_t value) const { return value >> shift_ & (number_ - 1); }
        void count(std::uint64_t value) { ++ends_[of(value)]; }
        /// Must be called after the last count().
        void sum_up() {
            std::uint32_t sum = 0;
            for (std::size_t digit = 0; digit < number_; ++digit) {
                next_[digit] = sum;
                sum += ends_[digit];
                ends_[digit] = sum;
            }
        }
        /// Returns the place of the next record with this digit.
        std::uint32_t& next(std::size_t digit) { return next_[digit]; }
        std::uint32_t end(std::size_t digit) const { return ends_[digit]; }

      private:
        unsigned shift_;
        std::size_t number_;
        std::array<std::uint32_t, 1U << kMaxBits> next_;
        std::array<std::uint32_t, 1U << kMaxBits> ends_;
    };

    template <Part kPart>
    static std::uint64_t value_of(const Record& record) {
        return kPart == Part::kKey ? record.key : record.rest;
    }

    template <Part kPart>
    static void sort_by(std::span<Record> records) {
        if (records.size() <= kInsertionSize) return insertion_sort(records);
        const std::uint64_t first = value_of<kPart>(records.front());
        std::uint64_t differing = 0;
        for (const Record& r : records) differing |= value_of<kPart>(r) ^ first;
        if (differing == 0) {
            if constexpr (kPart == Part::kKey) sort_by<Part::kRest>(records);
            return;
        }
        Digits<kDigitBits> digits(differing, records.size());
        for (const Record& r : records) digits.count(value_of<kPart>(r));
        digits.sum_up();
        for (std::size_t digit = 0; digit < digits.number(); ++digit) {
            while (digits.next(digit) < digits.end(digit)) {
                Record moving = records[digits.next(digit)];
                while (true) {
                    const std::size_t home = digits.of(value_of<kPart>(moving));
                    if (home == digit) break;
                    std::swap(moving, records[digits.next(home)++]);
                }
                records[digits.next(digit)++] = moving;
            }
        }
        sort_digits<kPart>(records, digits);
    }

    /// Sorts records that are already ordered by their digits. Most digits have few records, so one
    /// insertion sort of all records replaces many short ones; it moves no record past its digit.
    template <Part kPart, unsigned kMaxBits>
    static void sort_digits(std::span<Record> records, const Digits<kMaxBits>& digits) {
        std::uint32_t begin = 0;
        for (std::size_t digit = 0; digit < digits.number(); ++digit) {
            const std::uint32_t end = digits.end(digit);
            if (end - begin > kInsertionSize) sort_by<kPart>(records.subspan(begin, end - begin));
            begin = end;
        }
        insertion_sort(records);
    }

    /// Compares by key, then by rest. Integer & and |, not && and ||, to stay branch-free.
    static bool before(const Record& a, const Record& b) {
        return ((a.key < b.key) | ((a.key == b.key) & (a.rest < b.rest))) != 0;
    }

    static void insertion_sort(std::span<Record> records) {
        for (std::size_t i = 1; i < records.size(); ++i) {
            const Record moving = records[i];
            std::size_t hole = i;
            for (; hole > 0 && before(moving, records[hole - 1]); --hole)
                records[hole] = records[hole - 1];
            records[hole] = moving;
        }
    }
};

/// Sorts by key, then by rest.
template <SortableRecord Record>
void sort_records(std::vector<Record>& records) {
    RadixSort<Record>::sort(records);
}

}  // namespace fendex::store
