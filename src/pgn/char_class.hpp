// Classes of characters by what may begin with them in movetext. Constants; any thread may read
// them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace fendex::pgn::detail {

enum class CharClass : std::uint8_t {
    kWord,
    kSpace,
    kDigit,
    kComment,
    kLineComment,
    kEscape,
    kOpen,
    kClose,
    kBracket,
    kNag,
    kStar,
    kGlyph,  // ! ? = and the like, standing alone: an evaluation, not a move
    kHigh,   // beyond ASCII: a letter, a chessman, a symbol, a blank
};

inline constexpr auto kCharClasses = [] {
    std::array<CharClass, 256> table{};
    std::fill(table.begin() + 0x80, table.end(), CharClass::kHigh);
    const auto set = [&](std::string_view chars, CharClass value) {
        for (const char c : chars) table[static_cast<unsigned char>(c)] = value;
    };
    set(std::string_view(" \t\v\f\n\r\0\x1A", 8), CharClass::kSpace);
    set("0123456789", CharClass::kDigit);
    set("{", CharClass::kComment);
    set(";", CharClass::kLineComment);
    set("%", CharClass::kEscape);
    set("(", CharClass::kOpen);
    set(")", CharClass::kClose);
    set("[]}<>", CharClass::kBracket);
    set("$", CharClass::kNag);
    set("*", CharClass::kStar);
    set("!?=+#/.,", CharClass::kGlyph);
    return table;
}();

inline CharClass class_of(char c) { return kCharClasses[static_cast<unsigned char>(c)]; }

}  // namespace fendex::pgn::detail
