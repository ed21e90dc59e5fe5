// Wraps help texts to the width of a terminal. Pure function.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::cli {

/// Breaks the text into lines of at most `width` columns, or of one longer word. The first line
/// begins at column `indent`; the others are indented to it. There is no newline at the end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace fendex::cli
