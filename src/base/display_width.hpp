// How many columns of a terminal a text takes. Width is counted by grapheme clusters: a letter with
// its accents takes one column, an ideograph or an emoji two. Texts are UTF-8; an invalid byte
// counts as one column. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::base {

std::size_t display_width(std::string_view text);

/// Return the text, shortened to `width` columns (at least one). A text that is too long loses its
/// end (cut_end) or its beginning (cut_start) and has an ellipsis there.
[[nodiscard]] std::string cut_end(std::string_view text, std::size_t width);
[[nodiscard]] std::string cut_start(std::string_view text, std::size_t width);

}  // namespace fendex::base
