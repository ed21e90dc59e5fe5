#include "base/utf8.hpp"

namespace fendex::base {

std::size_t utf8_length(std::string_view s, std::size_t i) {
    const auto byte = [&](std::size_t n) {
        return i + n < s.size() ? static_cast<unsigned char>(s[i + n]) : 0U;
    };
    const auto continues = [&](std::size_t n) { return (byte(n) & 0xC0U) == 0x80U; };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead < 0xC2) return 0;
    if (lead < 0xE0) return continues(1) ? 2 : 0;
    if (lead < 0xF0) {
        if (!continues(1) || !continues(2)) return 0;
        if (lead == 0xE0 && byte(1) < 0xA0) return 0;
        if (lead == 0xED && byte(1) > 0x9F) return 0;
        return 3;
    }
    if (lead > 0xF4 || !continues(1) || !continues(2) || !continues(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
}

bool is_utf8(std::string_view s) {
    for (std::size_t i = 0; i < s.size();) {
        const std::size_t n = utf8_length(s, i);
        if (n == 0) return false;
        i += n;
    }
    return true;
}

char32_t utf8_character(std::string_view s, std::size_t i, std::size_t length) {
    const auto lead = static_cast<unsigned char>(s[i]);
    if (length == 1) return lead;
    char32_t code = lead & (0x7FU >> length);
    for (std::size_t n = 1; n < length; ++n) {
        code = code << 6 | (static_cast<unsigned char>(s[i + n]) & 0x3FU);
    }
    return code;
}

void append_utf8(unsigned code, std::string& out) {
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        put(0x80 | (code & 0x3F));
    } else {
        if (code < 0x10000) {
            put(0xE0 | code >> 12);
        } else {
            put(0xF0 | code >> 18);
            put(0x80 | (code >> 12 & 0x3F));
        }
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

std::string_view utf8_prefix(std::string_view s, std::size_t size) {
    if (size >= s.size()) return s;
    constexpr std::size_t kLongest = 4;
    for (std::size_t back = 1; back < kLongest && back <= size; ++back) {
        if (utf8_length(s, size - back) > back) return s.substr(0, size - back);
    }
    return s.substr(0, size);
}

}  // namespace fendex::base
