// Typographic characters that word processors and web pages use instead of ASCII ones, in UTF-8.
// Pure functions. The two lengths are 0 for ASCII characters other than the hyphen.
#pragma once

#include <cstddef>
#include <string_view>

namespace fendex::base {

/// Length of the dash at the start of `s`: hyphen, non-breaking hyphen, figure dash, en dash, em
/// dash, horizontal bar or minus; 0 if there is none.
constexpr std::size_t dash_length(std::string_view s) {
    if (s.empty()) return 0;
    if (s[0] == '-') return 1;
    if (s[0] != '\xE2' || s.size() < 3) return 0;
    if (s[1] == '\x80' && s[2] >= '\x90' && s[2] <= '\x95') return 3;
    return s[1] == '\x88' && s[2] == '\x92' ? 3 : 0;
}

/// Length of the non-ASCII blank at the start of `s`: a space of any width (also zero width), a
/// joiner, a direction mark, a soft hyphen, a line or paragraph separator, a byte order mark; 0 if
/// there is none.
constexpr std::size_t wide_blank_length(std::string_view s) {
    if (s.size() < 2) return 0;
    if (s[0] == '\xC2') return s[1] == '\xA0' || s[1] == '\xAD' ? 2 : 0;
    if (s.size() < 3) return 0;
    if (s[0] == '\xE2' && s[1] == '\x80') {
        const unsigned last = static_cast<unsigned char>(s[2]);  // U+2000-200F and U+2028-202F
        return (last >= 0x80 && last <= 0x8F) || (last >= 0xA8 && last <= 0xAF) ? 3 : 0;
    }
    if (s[0] == '\xE2' && s[1] == '\x81') return s[2] >= '\x9F' && s[2] <= '\xAF' ? 3 : 0;
    if (s[0] == '\xE3') return s[1] == '\x80' && s[2] == '\x80' ? 3 : 0;
    return s[0] == '\xEF' && s[1] == '\xBB' && s[2] == '\xBF' ? 3 : 0;
}

/// Returns whether such a non-ASCII blank has no width, so that the text around it looks like one
/// word.
constexpr bool is_invisible(std::string_view blank) {
    if (blank == "\u00AD" || blank == "\uFEFF") return true;
    if (blank.size() != 3 || blank[0] != '\xE2') return false;
    const unsigned last = static_cast<unsigned char>(blank[2]);
    if (blank[1] == '\x81') return last >= 0xA0;  // U+2060-206F
    return (last >= 0x8B && last <= 0x8F) || (last >= 0xAA && last <= 0xAE);
}

}  // namespace fendex::base
