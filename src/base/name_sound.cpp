#include "base/name_sound.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text_fold.hpp"

namespace fendex::base {

namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

/// Letters as the folding leaves them: lower case, and without marks (so "й" is "и").
constexpr std::array<Replacement, 38> kCyrillic{{
    {"а", "a"},  {"б", "b"},  {"в", "v"},  {"г", "g"},  {"д", "d"},  {"е", "e"},    {"ё", "e"},
    {"ж", "zh"}, {"з", "z"},  {"и", "i"},  {"й", "i"},  {"к", "k"},  {"л", "l"},    {"м", "m"},
    {"н", "n"},  {"о", "o"},  {"п", "p"},  {"р", "r"},  {"с", "s"},  {"т", "t"},    {"у", "u"},
    {"ф", "f"},  {"х", "kh"}, {"ц", "ts"}, {"ч", "ch"}, {"ш", "sh"}, {"щ", "shch"}, {"ъ", ""},
    {"ы", "y"},  {"ь", ""},   {"э", "e"},  {"ю", "yu"}, {"я", "ya"}, {"і", "i"},    {"ї", "i"},
    {"є", "e"},  {"ґ", "g"},  {"ј", "j"},
}};

/// Letters, and those that sound like them. If several fit at one place, the first is used, so
/// longer ones come first.
constexpr std::array<Replacement, 47> kSounds{{
    {"aje", "a"}, {"aye", "a"}, {"aie", "a"}, {"shch", "s"}, {"tsch", "c"}, {"dsch", "z"},
    {"sch", "s"}, {"tch", "c"}, {"dzh", "z"}, {"iou", "u"},  {"you", "u"},  {"ch", "c"},
    {"cz", "c"},  {"sh", "s"},  {"sz", "s"},  {"ss", "s"},   {"zh", "z"},   {"kh", "h"},
    {"ts", "c"},  {"tz", "c"},  {"ph", "f"},  {"th", "t"},   {"dj", "z"},   {"ck", "k"},
    {"ff", "v"},  {"ou", "u"},  {"ue", "u"},  {"oe", "o"},   {"ae", "a"},   {"yu", "u"},
    {"ju", "u"},  {"iu", "u"},  {"ya", "a"},  {"ja", "a"},   {"ia", "a"},   {"ye", "e"},
    {"je", "e"},  {"ie", "e"},  {"yo", "o"},  {"jo", "o"},   {"io", "o"},   {"w", "v"},
    {"y", "i"},   {"j", "i"},   {"q", "k"},   {"x", "ks"},   {"k", "k"},
}};

/// Returns the text with each part that is in the table replaced.
template <std::size_t Size>
std::string replaced(std::string_view text, const std::array<Replacement, Size>& table) {
    std::string out;
    while (!text.empty()) {
        const auto found = std::ranges::find_if(
            table, [&](const Replacement& each) { return text.starts_with(each.first); });
        if (found == table.end()) {
            out += text.front();
            text.remove_prefix(1);
        } else {
            out += found->second;
            text.remove_prefix(found->first.size());
        }
    }
    return out;
}

}  // namespace

std::string in_latin_letters(std::string_view folded) { return replaced(folded, kCyrillic); }

std::string folded_in_latin(std::string_view name) { return in_latin_letters(fold(name)); }

std::string sound_of(std::string_view word) {
    std::string sound = replaced(word, kSounds);
    sound.erase(std::unique(sound.begin(), sound.end()), sound.end());
    return sound;
}

std::string first_sounds(std::string_view beginning) {
    std::string sounds(beginning.substr(0, 1));
    for (const auto& [spelling, sound] : kSounds) {
        if (spelling.starts_with(beginning) || beginning.starts_with(spelling)) {
            sounds += sound.front();
        }
    }
    return sounds;
}

}  // namespace fendex::base
