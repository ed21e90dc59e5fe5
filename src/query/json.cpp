#include "query/json.hpp"

#include <array>

namespace fendex::query {

namespace {

/// Bytes that stand for themselves; others need a look.
constexpr auto kPlain = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0x20; c < 0x7F; ++c) table[c] = c != '"' && c != '\\';
    return table;
}();

/// Length of the UTF-8 sequence that begins `s`; 0 where there is none.
std::size_t sequence_length(std::string_view s) {
    const auto lead = static_cast<unsigned char>(s[0]);
    const std::size_t n = lead >= 0xC2 && lead < 0xE0   ? 2
                          : lead >= 0xE0 && lead < 0xF0 ? 3
                          : lead >= 0xF0 && lead < 0xF5 ? 4
                                                        : 0;
    if (n == 0 || s.size() < n) return 0;
    for (std::size_t i = 1; i < n; ++i) {
        if ((static_cast<unsigned char>(s[i]) & 0xC0U) != 0x80U) return 0;
    }
    return n;
}

void append_escape(unsigned code, std::string& out) {
    constexpr char kDigits[] = "0123456789abcdef";
    out += "\\u00";
    out += kDigits[code >> 4 & 15U];
    out += kDigits[code & 15U];
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
    out += '"';
    std::size_t done = 0;  // everything before is in `out`
    std::size_t i = 0;
    const auto flush = [&] { out.append(text, done, i - done); };
    while (i < text.size()) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (kPlain[c]) {
            ++i;
            continue;
        }
        if (c >= 0x80) {
            const std::size_t n = sequence_length(text.substr(i));
            const bool control =
                n == 2 && c == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
            if (n != 0 && !control) {
                i += n;
                continue;
            }
            flush();
            if (control) {
                append_escape(static_cast<unsigned char>(text[i + 1]), out);
                i += 2;
            } else {
                out += "\xEF\xBF\xBD";
                ++i;
            }
        } else {
            flush();
            if (c == '"' || c == '\\') {
                out += '\\';
                out += text[i];
            } else {
                append_escape(c, out);
            }
            ++i;
        }
        done = i;
    }
    flush();
    out += '"';
}

std::string hex_key(std::uint64_t key) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string out(16, '0');
    for (std::size_t i = 16; i-- > 0; key >>= 4) out[i] = kDigits[key & 15U];
    return out;
}

}  // namespace fendex::query
