// Whether this is a sanitizer build, which is about ten times slower: tests then take smaller
// samples.
#pragma once

#include <cstddef>
#include <type_traits>

#include "support/skip.hpp"

namespace fendex::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

/// Returns this number of rounds, games or positions, or in a sanitizer build a part of it.
template <typename Number>
constexpr Number fewer(Number number, std::type_identity_t<Number> part = 8) {
    return kSanitized ? (number + part - 1) / part : number;
}

/// True if a sanitizer build leaves out the round of that number: it does only each n-th.
constexpr bool left_out(std::size_t round, std::size_t n = 8) {
    return kSanitized && round % n != 0;
}

/// True in a sanitizer build: then the test has been marked as skipped (see skip.hpp) and must
/// return.
inline bool skip_when_sanitized() {
    if (kSanitized) skip("too slow under the sanitizers");
    return kSanitized;
}

}  // namespace fendex::test
