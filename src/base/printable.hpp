// Makes text from tags and paths safe to show on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace fendex::base {

/// Returns false for characters that a terminal may obey instead of showing: control characters
/// (C0, DEL, C1) and those that change the direction of the text or end its line.
bool is_printable(char32_t character);

/// Appends the text with unprintable characters and invalid UTF-8 bytes written as \xNN or \uNNNN.
void append_printable(std::string_view text, std::string& out);
std::string printable(std::string_view text);
/// Like append_printable(), for a text of several lines; its line breaks, LF or CRLF, stay.
void append_printable_lines(std::string_view text, std::string& out);

}  // namespace fendex::base
