// Names as people type them: without regard to case, accents, punctuation marks or the blanks
// around them.
#pragma once

#include <string>
#include <string_view>

namespace fendex::base {

/// Lower case, without accents (also "o" for "ø", "l" for "ł", "ss" for "ß"), whatever is neither
/// letter nor digit as one blank. What is no UTF-8 is taken byte by byte.
std::string fold(std::string_view text);

/// Whether folded words stand somewhere in a folded text, from the beginning of a word on; the last
/// may go on.
bool has_words(std::string_view folded, std::string_view words);

}  // namespace fendex::base
