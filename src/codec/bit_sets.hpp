// The members of a set of bits as a number with a bit for each of them, and back. With BMI2 each is
// one instruction.
#pragma once

#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace fendex::codec {

/// Returns the bits of `value` that are in `set`, moved together at the low end.
inline std::uint64_t gathered(std::uint64_t value, std::uint64_t set) {
#ifdef __BMI2__
    return _pext_u64(value, set);
#else
    std::uint64_t out = 0;
    for (std::uint64_t bit = 1; set != 0; bit <<= 1, set &= set - 1) {
        if ((value & set & -set) != 0) out |= bit;
    }
    return out;
#endif
}

/// Returns the low bits of `value`, moved to the places of `set`.
inline std::uint64_t scattered(std::uint64_t value, std::uint64_t set) {
#ifdef __BMI2__
    return _pdep_u64(value, set);
#else
    std::uint64_t out = 0;
    for (; set != 0; value >>= 1, set &= set - 1) {
        if ((value & 1) != 0) out |= set & -set;
    }
    return out;
#endif
}

}  // namespace fendex::codec
