#include "base/printable.hpp"

namespace fendex::base {

void append_printable(std::string_view text, std::string& out) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::size_t done = 0;  // everything before is in `out`
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool c1 =
            c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (c >= 0x20 && c != 0x7F && !c1) continue;
        out.append(text, done, i - done);
        const unsigned code = c1 ? static_cast<unsigned char>(text[++i]) : c;
        out += "\\x";
        out += kDigits[code >> 4 & 15U];
        out += kDigits[code & 15U];
        done = i + 1;
    }
    out.append(text, done);
}

std::string printable(std::string_view text) {
    std::string out;
    append_printable(text, out);
    return out;
}

}  // namespace fendex::base
