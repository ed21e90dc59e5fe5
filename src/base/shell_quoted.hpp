// Text as a word for a shell.
#pragma once

#include <string>
#include <string_view>

namespace fendex::base {

/// Returns the text in single quotation marks, which a shell reads as it is.
inline std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + '\'';
}

}  // namespace fendex::base
