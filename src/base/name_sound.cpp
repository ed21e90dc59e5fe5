#include "base/name_sound.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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

/// A table of replacements, which are found by their first byte.
template <std::size_t Size>
class ByFirstByte {
  public:
    explicit constexpr ByFirstByte(const std::array<Replacement, Size>& table) : table_(table) {
        first_.fill(kNone);
        for (std::size_t i = Size; i-- > 0;) {
            std::uint8_t& first = first_[static_cast<unsigned char>(table[i].first.front())];
            next_[i] = std::exchange(first, static_cast<std::uint8_t>(i));
        }
    }

    /// Returns the first replacement in the table with which a text begins; null if there is none.
    [[nodiscard]] constexpr const Replacement* find(std::string_view text) const {
        std::uint8_t i = first_[static_cast<unsigned char>(text.front())];
        while (i != kNone && !continues(text, table_[i].first)) i = next_[i];
        return i == kNone ? nullptr : &table_[i];
    }

  private:
    static constexpr std::uint8_t kNone = 255;

    /// Returns whether a text, which has a beginning's first byte, has the others. All names of a
    /// database may be asked, and memcmp() would take a third of that time for these few bytes.
    static constexpr bool continues(std::string_view text, std::string_view beginning) {
        if (text.size() < beginning.size()) return false;
        for (std::size_t i = 1; i < beginning.size(); ++i) {
            if (text[i] != beginning[i]) return false;
        }
        return true;
    }

    const std::array<Replacement, Size>& table_;
    std::array<std::uint8_t, 256> first_{};  // the first entry that begins with a byte
    std::array<std::uint8_t, Size> next_{};  // the next one that begins with the same byte
};

constexpr ByFirstByte kCyrillicByByte(kCyrillic);
constexpr ByFirstByte kSoundsByByte(kSounds);

/// Returns the text with each part that is in the table replaced.
template <std::size_t Size>
std::string replaced(std::string_view text, const ByFirstByte<Size>& table) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        if (const Replacement* const found = table.find(text)) {
            out += found->second;
            text.remove_prefix(found->first.size());
        } else {
            out += text.front();
            text.remove_prefix(1);
        }
    }
    return out;
}

}  // namespace

std::string in_latin_letters(std::string_view folded) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::ranges::all_of(folded, is_ascii)) return std::string(folded);
    return replaced(folded, kCyrillicByByte);
}

std::string folded_in_latin(std::string_view name) { return in_latin_letters(fold(name)); }

std::string sound_of(std::string_view word) {
    std::string sound = replaced(word, kSoundsByByte);
    sound.erase(std::unique(sound.begin(), sound.end()), sound.end());
    return sound;
}

char first_sound(std::string_view word) {
    if (word.empty()) return '\0';
    const Replacement* const found = kSoundsByByte.find(word);
    return found == nullptr ? word.front() : found->second.front();
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

bool may_sound_like(std::string_view beginning, std::string_view sounds) {
    return first_sounds(in_latin_letters(beginning)).find_first_of(sounds) != std::string::npos;
}

}  // namespace fendex::base
