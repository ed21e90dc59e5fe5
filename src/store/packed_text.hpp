// Texts that are stored one by one, compressed with zstd. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fendex::store {

/// The longest text that is unpacked: the longest game and some room for its end.
inline constexpr std::size_t kMaxPackedText = std::size_t{65} << 20;

std::string pack_text(std::string_view text);
/// Returns the text; empty if the bytes are damaged, or if the text is longer than kMaxPackedText.
/// Never allocates more than that.
std::optional<std::string> unpack_text(std::string_view packed);

}  // namespace fendex::store
