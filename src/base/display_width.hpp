// How many columns of a terminal a text takes: by grapheme clusters, so that a letter with its
// accents is one, and an ideograph or an emoji two. Texts are UTF-8; a byte that is not counts as
// one column. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::base {

std::size_t display_width(std::string_view text);

/// The text in at most `width` columns (at least one): what is too long loses its end, or its
/// beginning, and has an ellipsis there.
std::string cut_end(std::string_view text, std::size_t width);
std::string cut_start(std::string_view text, std::size_t width);

}  // namespace fendex::base
