// UTF-8 as it may be met in files of strangers. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::base {

/// Length of the valid UTF-8 sequence at `i`, 0 where there is none (overlong forms, surrogates and
/// what lies beyond U+10FFFF included).
std::size_t utf8_length(std::string_view s, std::size_t i);
bool is_utf8(std::string_view s);
/// The character that a valid sequence of this length at `i` stands for.
char32_t utf8_character(std::string_view s, std::size_t i, std::size_t length);
/// The character of any number up to U+10FFFF.
void append_utf8(unsigned code, std::string& out);
/// The text's first bytes, at most `size`, without a character that would be cut.
std::string_view utf8_prefix(std::string_view s, std::size_t size);

}  // namespace fendex::base
