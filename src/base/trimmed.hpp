// Removes blanks around a text.
#pragma once

#include <string_view>

namespace fendex::base {

inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace fendex::base
