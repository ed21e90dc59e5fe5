#include "base/printable.hpp"

#include "base/utf8.hpp"

namespace fendex::base {

namespace {

void append_escape(char32_t code, std::string& out) {
    constexpr char kDigits[] = "0123456789abcdef";
    const bool byte = code < 0x100;
    out += byte ? "\\x" : "\\u";
    for (int shift = byte ? 4 : 12; shift >= 0; shift -= 4) out += kDigits[code >> shift & 15U];
}

}  // namespace

bool is_printable(char32_t c) {
    if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return false;
    // Arabic letter mark, direction marks, line and paragraph separators, embeddings, overrides,
    // isolates.
    return c != 0x61C && c != 0x200E && c != 0x200F && !(c >= 0x2028 && c <= 0x202E) &&
           !(c >= 0x2066 && c <= 0x2069);
}

void append_printable(std::string_view text, std::string& out) {
    std::size_t done = 0;  // everything before it is in `out`
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        const std::size_t step = length == 0 ? 1 : length;
        const char32_t c = utf8_character(text, i, step);
        if (length == 0 || !is_printable(c)) {
            out.append(text, done, i - done);
            append_escape(c, out);
            done = i + step;
        }
        i += step;
    }
    out.append(text, done);
}

std::string printable(std::string_view text) {
    std::string out;
    append_printable(text, out);
    return out;
}

void append_printable_lines(std::string_view text, std::string& out) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        const bool has_return = end != std::string_view::npos && line.ends_with('\r');
        if (has_return) line.remove_suffix(1);
        append_printable(line, out);
        if (end == std::string_view::npos) break;
        out += has_return ? "\r\n" : "\n";
        text.remove_prefix(end + 1);
    }
}

}  // namespace fendex::base
