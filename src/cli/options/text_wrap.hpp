// Paragraphs of help in lines that fit a terminal. Pure function.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::cli {

/// The words of the text in lines of at most `width` columns, unless a word is longer. The first
/// line begins at column `indent`, which is where the others are set in to. No newline at the end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace fendex::cli
