// Is this a sanitizer build? It is about ten times slower, so tests take smaller samples.
#pragma once

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

/// True in a sanitizer build: then the test has been marked as skipped (see skip.hpp) and must
/// return.
inline bool skip_when_sanitized() {
    if (kSanitized) skip("too slow under the sanitizers");
    return kSanitized;
}

}  // namespace fendex::test
