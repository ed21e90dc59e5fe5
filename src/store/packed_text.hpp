// Texts of a database that are kept compressed by themselves (zstd). Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fendex::store {

/// The longest text that is unpacked: what the longest game may have, and room for its end.
inline constexpr std::size_t kMaxPackedText = std::size_t{65} << 20;

std::string pack_text(std::string_view text);
/// Empty where the bytes are no such text, or one longer than kMaxPackedText; memory is taken only
/// for what they say and may be.
std::optional<std::string> unpack_text(std::string_view packed);

}  // namespace fendex::store
