#include "base/name_sound.hpp"

#include <algorithm>
#include <utility>

namespace fendex::base {

namespace {

struct Spelling {
    std::string_view from;
    std::string_view to;
};

/// Cyrillic letters, as folding leaves them.
constexpr Spelling kCyrillic[] = {
    {"а", "a"}, {"б", "b"},  {"в", "v"},  {"г", "g"},  {"д", "d"},  {"е", "e"}, {"ж", "zh"},
    {"з", "z"}, {"и", "i"},  {"й", "i"},  {"к", "k"},  {"л", "l"},  {"м", "m"}, {"н", "n"},
    {"о", "o"}, {"п", "p"},  {"р", "r"},  {"с", "s"},  {"т", "t"},  {"у", "u"}, {"ф", "f"},
    {"х", "h"}, {"ц", "ts"}, {"ч", "ch"}, {"ш", "sh"}, {"щ", "sh"}, {"ъ", ""},  {"ы", "i"},
    {"ь", ""},  {"э", "e"},  {"ю", "iu"}, {"я", "ia"}, {"і", "i"},  {"ї", "i"}, {"є", "e"},
    {"ґ", "g"}, {"ё", "e"}};
/// Latin spellings; the first that fits is taken.
constexpr Spelling kLatin[] = {{"tsch", "ch"}, {"tch", "ch"}, {"sch", "sh"}, {"ch", "ch"},
                               {"ck", "k"},    {"kh", "h"},   {"ph", "f"},   {"c", "k"},
                               {"w", "v"},     {"x", "ks"},   {"y", "i"},    {"j", "i"}};

template <std::size_t kCount>
std::string replaced(std::string_view text, const Spelling (&spellings)[kCount]) {
    std::string out;
    while (!text.empty()) {
        const auto fits = [&](const Spelling& each) { return text.starts_with(each.from); };
        const auto* const found = std::ranges::find_if(spellings, fits);
        if (found == std::end(spellings)) {
            out += text.front();
            text.remove_prefix(1);
        } else {
            out += found->to;
            text.remove_prefix(found->from.size());
        }
    }
    return out;
}

bool is_vowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

}  // namespace

std::string sound_of(std::string_view folded_word) {
    const std::string latin = replaced(replaced(folded_word, kCyrillic), kLatin);
    std::string out;
    for (std::size_t i = 0; i < latin.size(); ++i) {
        const char c = latin[i];
        // "Polugajewski" and "Polugaevsky".
        const bool glides = c == 'i' && i != 0 && i + 1 < latin.size() && is_vowel(latin[i - 1]) &&
                            is_vowel(latin[i + 1]);
        if (!glides && (out.empty() || out.back() != c)) out += c;
    }
    return out;
}

}  // namespace fendex::base
