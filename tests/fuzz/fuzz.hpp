// Shared by all fuzz targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fendex::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {static_cast<const char*>(static_cast<const void*>(data)), size};
}

/// Checks a property that must hold for every input, in release builds too.
inline void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace fendex::fuzz
