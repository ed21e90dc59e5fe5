// Text as it may be shown on a terminal, whatever somebody has put into a tag or a path.
#pragma once

#include <string>
#include <string_view>

namespace fendex::base {

/// Appends the text with control characters (C0, DEL, C1) as \xNN.
void append_printable(std::string_view text, std::string& out);
std::string printable(std::string_view text);

}  // namespace fendex::base
