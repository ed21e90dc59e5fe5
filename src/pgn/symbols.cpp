#include "pgn/symbols.hpp"

#include <algorithm>
#include <array>

#include "base/typeset.hpp"
#include "base/utf8.hpp"
#include "pgn/lexer.hpp"

namespace fendex::pgn {

namespace {

struct Known {
    std::string_view text;
    std::string_view nag;
};

// Numbers up to 139 are from the PGN standard, section 10; the others are in common use.
constexpr auto kKnownSymbols = std::to_array<Known>({
    {"\u203C", "$3"},         // ‼
    {"\u2047", "$4"},         // ⁇
    {"\u2049", "$5"},         // ⁉
    {"\u2048", "$6"},         // ⁈
    {"\u25A1", "$7"},         // □ the only move
    {"\u25FB", "$7"},         // ◻
    {"\u221E", "$13"},        // ∞ unclear
    {"\u2A72", "$14"},        // ⩲
    {"\u2A71", "$15"},        // ⩱
    {"\u00B1", "$16"},        // ±
    {"\u2213", "$17"},        // ∓
    {"\u2A00", "$22"},        // ⨀ zugzwang
    {"\u2299", "$22"},        // ⊙
    {"\u25CB", "$26"},        // ○ space
    {"\u2191\u2191", "$32"},  // ↑↑ development
    {"\u21C8", "$32"},        // ⇈
    {"\u27F3", "$32"},        // ⟳
    {"\u21BB", "$32"},        // ↻
    {"\u2191", "$36"},        // ↑ initiative
    {"\u2192", "$40"},        // → attack
    {"\u2BF9", "$44"},        // compensation, = above ∞
    {"=\u221E", "$44"},       // =∞
    {"=/\u221E", "$44"},      // =/∞
    {"\u221E/=", "$44"},      // ∞/=
    {"\u2245", "$44"},        // ≅
    {"\u21C6", "$132"},       // ⇆ counterplay
    {"\u21C4", "$132"},       // ⇄
    {"\u2295", "$138"},       // ⊕ time pressure
    {"\u2A01", "$138"},       // ⨁
    {"\u2206", "$140"},       // ∆ with the idea
    {"\u0394", "$140"},       // Δ
    {"\u25B3", "$140"},       // △
    {"\u2207", "$141"},       // ∇ aimed against
    {"\u25BD", "$141"},       // ▽
    {"\u2313", "$142"},       // ⌓ better is
    {"\u2264", "$143"},       // ≤ worse is
    {"\u2B12", "$220"},       // ⬒ diagram
    {"\u2B13", "$221"},       // ⬓
    {"\u21D4", "$239"},       // ⇔ file
    {"\u21D7", "$240"},       // ⇗ diagonal
    {"\u229E", "$241"},       // ⊞ centre
    {"\u27EB", "$242"},       // ⟫ king's side
    {"\u27EA", "$243"},       // ⟪ queen's side
    {"\u00BB", "$242"},       // »
    {"\u00AB", "$243"},       // «
    {"\u2715", "$244"},       // ✕ weak point
    {"\u22A5", "$245"},       // ⊥ ending
});

// Longer letters first.
constexpr auto kKnownLetters =
    std::to_array<Known>({{"TN", "$146"}, {"RR", "$145"}, {"N", "$146"}, {"D", "$220"}});

/// Returns true for arrows and for mathematical, technical, geometric and miscellaneous symbols.
/// Symbols without a number are skipped.
bool is_symbol(char32_t c) {
    const bool chessman = c >= 0x2654 && c <= 0x265F;
    constexpr char32_t kMinus = 0x2212;
    return !chessman && c != kMinus &&
           ((c >= 0x2190 && c <= 0x23FF) || (c >= 0x25A0 && c <= 0x2BFF));
}

/// The signs of an advantage with any dash: +−, −+, +/−, −/+.
Symbol match_advantage(std::string_view s) {
    std::size_t size = 0;
    unsigned dashes = 0;
    char first = 0;
    char last = 0;
    for (const char wanted : {'a', '/', 'b'}) {
        const std::string_view rest = s.substr(size);
        if (rest.empty()) return {};
        if (wanted == '/') {
            if (rest[0] == '/') ++size;
            continue;
        }
        const std::size_t dash = base::dash_length(rest);
        if (dash == 0 && rest[0] != '+') return {};
        dashes += dash > 1 ? 1 : 0;
        (wanted == 'a' ? first : last) = dash != 0 ? '-' : '+';
        size += std::max<std::size_t>(dash, 1);
    }
    if (dashes == 0 || first == last) return {};  // in ASCII it is an ordinary glyph
    const bool slash = s[first == '+' ? 1 : base::dash_length(s)] == '/';
    if (first == '+') return {size, slash ? "$16" : "$18"};
    return {size, slash ? "$17" : "$19"};
}

std::string_view head(const char* p, const char* end) {
    constexpr std::ptrdiff_t kLongest = 16;
    return {p, static_cast<std::size_t>(std::min(end - p, kLongest))};
}

bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }

/// Returns true for letters and chessmen, with which moves begin.
bool begins_no_symbol(std::string_view s) {
    if (s.empty()) return true;
    if (s.starts_with("\xE2\x99")) return s.size() > 2 && s[2] >= '\x94' && s[2] <= '\x9F';
    return is_high(s[0]) && std::string_view("\xC2\xCE\xE2\xB1").find(s[0]) == s.npos;
}

}  // namespace

Symbol match_symbol(const char* p, const char* end) {
    const std::string_view s = head(p, end);
    if (begins_no_symbol(s)) return {};
    if (const Symbol advantage = match_advantage(s); advantage.size != 0) return advantage;
    Symbol out;
    for (const Known& known : kKnownSymbols) {
        if (s[0] == known.text[0] && s.starts_with(known.text) && known.text.size() > out.size) {
            out = {known.text.size(), known.nag};
        }
    }
    if (out.size == 0 && is_high(s[0])) {
        const std::size_t length = base::utf8_length(s, 0);
        // ± in Windows-1252, unless it is among letters of another code page.
        const bool letter_follows = s.size() > 1 && is_high(s[1]) && !is_single_blank(s[1]);
        if (length == 0 && s[0] == '\xB1' && !letter_follows) return {1, "$16"};
        if (length == 3 && is_symbol(base::utf8_character(s, 0, length))) out.size = length;
    }
    // A variation selector says whether the symbol is drawn as text or in colours.
    for (const std::string_view selector : {"\uFE0E", "\uFE0F"}) {
        if (out.size != 0 && s.substr(out.size).starts_with(selector)) out.size += selector.size();
    }
    return out;
}

const char* symbol_in_word(const char* word, const char* p, const char* end) {
    for (const char* begin = p - word > 2 ? p - 2 : word + 1; begin < p; ++begin) {
        const bool sign =
            std::all_of(begin, p, [](char c) { return c == '+' || c == '=' || c == '/'; });
        if (sign && match_symbol(begin, end).size > static_cast<std::size_t>(p - begin))
            return begin;
    }
    // After a letter of a code page, the byte is another letter of the same word.
    if (*p == '\xB1' && p > word && is_high(p[-1])) return nullptr;
    return match_symbol(p, end).size != 0 ? p : nullptr;
}

std::string_view nag_of_letters(std::string_view word) {
    for (const Known& letters : kKnownLetters) {
        if (word == letters.text) return letters.nag;
    }
    return {};
}

std::string_view take_letters(std::string_view& move) {
    for (const Known& letters : kKnownLetters) {
        if (move.size() < letters.text.size() + 2 || !move.ends_with(letters.text)) continue;
        const std::string_view rest = move.substr(0, move.size() - letters.text.size());
        const char last = rest.back();
        const bool marked = last == '+' || last == '#' || last == '!' || last == '?';
        const bool square = last >= '1' && last <= '8' && rest[rest.size() - 2] >= 'a' &&
                            rest[rest.size() - 2] <= 'h';
        const bool pawn = move[0] >= 'a' && move[0] <= 'h';
        const bool promotes = pawn && (last == '1' || last == '8');
        if (!marked && (!square || promotes)) continue;
        move = rest;
        return letters.nag;
    }
    return {};
}

}  // namespace fendex::pgn
