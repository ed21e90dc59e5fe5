// A small random generator that gives the same numbers with every compiler and library, unlike the
// distributions of <random>.
#pragma once

#include <cstdint>

#include "chess/zobrist.hpp"

namespace fendex::bench {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(chess::zobrist::mix(seed)) {}

    std::uint64_t next() {  // SplitMix64
        const std::uint64_t value = chess::zobrist::mix(state_);
        state_ += 0x9E3779B97F4A7C15ULL;
        return value;
    }
    /// Returns a number from 0 to n - 1; n must be below 2^32 and not 0.
    std::uint64_t below(std::uint64_t n) { return (next() >> 32) * n >> 32; }
    bool one_in(std::uint64_t n) { return below(n) == 0; }

  private:
    std::uint64_t state_;
};

}  // namespace fendex::bench
