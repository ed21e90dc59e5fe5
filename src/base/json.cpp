#include "base/json.hpp"

#include <array>
#include <cstring>

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

/// Returns whether all eight bytes are ASCII and need no escape.
bool all_plain(const char* text) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kHigh = 0x8080808080808080;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text, sizeof bytes);
    // any(x) sets the high bit of a byte if the byte is 0; bytes after such a byte may be wrong.
    const auto any = [](std::uint64_t x) { return (x - kOnes) & ~x; };
    const std::uint64_t below_blank = (bytes - kOnes * 0x20) & ~bytes;
    return ((bytes | below_blank | any(bytes ^ kOnes * '"') | any(bytes ^ kOnes * '\\') |
             any(bytes ^ kOnes * 0x7F)) &
            kHigh) == 0;
}

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
        if (text.size() - i >= 8 && all_plain(text.data() + i)) {
            i += 8;
            continue;
        }
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
