// Numbers that look random but follow from a seed alone: the same on every machine and in every
// version, because users repeat samples by their seed. Do not change.
#pragma once

#include <cstdint>

namespace fendex::base {

/// A bijection of 64-bit numbers whose results look random (the mixing step of SplitMix64).
constexpr std::uint64_t mixed(std::uint64_t number) {
    number += 0x9E3779B97F4A7C15U;
    number = (number ^ (number >> 30U)) * 0xBF58476D1CE4E5B9U;
    number = (number ^ (number >> 27U)) * 0x94D049BB133111EBU;
    return number ^ (number >> 31U);
}

/// A number for a value and a seed. For one seed, different values have different numbers.
constexpr std::uint64_t seeded(std::uint64_t value, std::uint64_t seed) {
    return mixed(value ^ mixed(seed));
}

class SeededNumbers {
  public:
    explicit SeededNumbers(std::uint64_t seed) : seed_(mixed(seed)) {}

    /// Returns a number less than `end`, which is not 0; each is equally likely.
    std::uint64_t below(std::uint64_t end) {
        const std::uint64_t beyond_last_multiple = (0 - end) % end;  // 2^64 mod end
        while (true) {
            const std::uint64_t number = mixed(seed_++);
            if (number >= beyond_last_multiple) return number % end;
        }
    }

  private:
    std::uint64_t seed_;
};

}  // namespace fendex::base
