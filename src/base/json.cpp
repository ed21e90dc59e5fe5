#include "base/json.hpp"

#include <array>

#include "base/printable.hpp"
#include "base/utf8.hpp"

namespace fendex::json {

namespace {

/// Bytes that are written unchanged; others may need an escape.
constexpr auto kPlain = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0x20; c < 0x7F; ++c) table[c] = c != '"' && c != '\\';
    return table;
}();

void append_escape(char32_t code, std::string& out) {
    constexpr char kDigits[] = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[code >> shift & 15U];
}

}  // namespace

void append_text(std::string_view text, std::string& out) {
    out += '"';
    std::size_t done = 0;  // everything before it is in `out`
    std::size_t i = 0;
    const auto flush = [&] { out.append(text, done, i - done); };
    while (i < text.size()) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (kPlain[c]) {
            ++i;
            continue;
        }
        const std::size_t n = base::utf8_length(text, i);
        const char32_t character = base::utf8_character(text, i, n == 0 ? 1 : n);
        if (n > 1 && base::is_printable(character)) {
            i += n;
            continue;
        }
        flush();
        if (c == '"' || c == '\\') {
            out += '\\';
            out += text[i];
        } else if (n == 0) {
            out += "\xEF\xBF\xBD";
        } else {
            append_escape(character, out);
        }
        i += n == 0 ? 1 : n;
        done = i;
    }
    flush();
    out += '"';
}

}  // namespace fendex::json
