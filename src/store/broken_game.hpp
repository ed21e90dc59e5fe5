// Compresses the original text of a game with errors with zstd, for import_error.pgn. Pure
// functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fendex::store {

/// The longest text that is unpacked: the longest game, with some room for its end.
inline constexpr std::size_t kMaxBrokenGame = std::size_t{65} << 20;

[[nodiscard]] std::string pack_broken_game(std::string_view text);
/// Returns the text; empty if the bytes are damaged, or if the text is longer than kMaxBrokenGame.
/// Never allocates more than kMaxBrokenGame bytes.
[[nodiscard]] std::optional<std::string> unpack_broken_game(std::string_view packed);

}  // namespace fendex::store
