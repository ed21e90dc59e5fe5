// Messages on standard error.
#pragma once

#include <string>

namespace fendex::cli {

/// Prints a line on standard error, escaped for a terminal. If standard error cannot be written,
/// the line is lost: what a verb does never depends on its messages.
void say(const std::string& text);

}  // namespace fendex::cli
