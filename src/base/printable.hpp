// Text as it may be shown on a terminal, whatever somebody has put into a tag or a path.
#pragma once

#include <string>
#include <string_view>

namespace fendex::base {

/// Characters that a terminal may obey instead of showing: controls (C0, DEL, C1), and those that
/// turn the order of the text about or end its line.
bool is_printable(char32_t character);

/// Appends the text with such characters, and bytes that are no UTF-8, as \xNN or \uNNNN.
void append_printable(std::string_view text, std::string& out);
std::string printable(std::string_view text);
/// The same for a text of several lines, which stay lines.
void append_printable_lines(std::string_view text, std::string& out);

}  // namespace fendex::base
