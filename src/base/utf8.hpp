// UTF-8 from files of unknown quality. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::base {

/// Length of the valid UTF-8 sequence at `i`; 0 if there is none (overlong forms, surrogates and
/// code points above U+10FFFF are not valid).
std::size_t utf8_length(std::string_view s, std::size_t i);
bool is_utf8(std::string_view s);
/// Returns the character of the valid sequence of this length at `i`.
char32_t utf8_character(std::string_view s, std::size_t i, std::size_t length);
/// Appends the character of any code point up to U+10FFFF.
void append_utf8(unsigned code, std::string& out);
/// Returns at most the first `size` bytes of the text, without cutting a character.
std::string_view utf8_prefix(std::string_view s, std::size_t size);

}  // namespace fendex::base
