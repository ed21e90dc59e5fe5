// Spellings of a FEN in web addresses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fendex::test {

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
    return text;
}

/// Returns the FEN in every usual spelling: blanks as _, + or %20, slashes and other signs escaped
/// or not.
inline std::vector<std::string> as_web_addresses(const std::string& fen) {
    const std::string plus_escaped = replaced(fen, "+", "%2B");
    std::string all_escaped;
    for (const char c : fen) {
        constexpr std::string_view kDigits = "0123456789ABCDEF";
        const auto code = static_cast<unsigned char>(c);
        const bool plain =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (plain) {
            all_escaped += c;
        } else {
            all_escaped.append("%").append(1, kDigits[code >> 4U]).append(1, kDigits[code & 15U]);
        }
    }
    return {replaced(fen, " ", "_"),
            replaced(fen, " ", "%20"),
            replaced(fen, " ", "+"),  // the pluses of Three-check stay
            replaced(plus_escaped, " ", "_"),
            replaced(plus_escaped, " ", "+"),
            replaced(replaced(plus_escaped, " ", "+"), "/", "%2F"),
            replaced(replaced(plus_escaped, " ", "_"), "/", "%2f"),
            all_escaped};
}

}  // namespace fendex::test
