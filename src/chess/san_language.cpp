#include "chess/san_language.hpp"

#include <algorithm>
#include <map>

#include "base/joined.hpp"
#include "chess/san_word.hpp"

namespace fendex::chess {

namespace {

constexpr auto kLanguages = std::to_array<SanLanguage>({
    {"en", "English", {"P", "N", "B", "R", "Q", "K"}},
    {"pt", "Portuguese", {"P", "C", "B", "T", "D", "R"}},
    {"fr", "French", {"P", "C", "F", "T", "D", "R"}},
    {"pl", "Polish", {"P", "S", "G", "W", "H", "K"}},
    {"de", "German", {"B", "S", "L", "T", "D", "K"}},
    {"es", "Spanish", {"P", "C", "A", "T", "D", "R"}},
    {"ru", "Russian", {"П", "К", "С", "Л", "Ф", "Кр"}},
    {"it", "Italian", {"P", "C", "A", "T", "D", "R"}},
    {"nl", "Dutch", {"O", "P", "L", "T", "D", "K"}},
    {"cs", "Czech", {"P", "J", "S", "V", "D", "K"}},
    {"hu", "Hungarian", {"G", "H", "F", "B", "V", "K"}},
    {"sv", "Swedish", {"B", "S", "L", "T", "D", "K"}},
    {"da", "Danish", {"B", "S", "L", "T", "D", "K"}},
    {"no", "Norwegian", {"B", "S", "L", "T", "D", "K"}},
    {"fi", "Finnish", {"P", "R", "L", "T", "D", "K"}},
    {"et", "Estonian", {"P", "R", "O", "V", "L", "K"}},
    {"is", "Icelandic", {"P", "R", "B", "H", "D", "K"}},
    {"ro", "Romanian", {"P", "C", "N", "T", "D", "R"}},
    {"ca", "Catalan", {"P", "C", "A", "T", "D", "R"}},
    {"sk", "Slovak", {"P", "J", "S", "V", "D", "K"}},
    {"sl", "Slovenian", {"P", "S", "L", "T", "D", "K"}},
    {"hr", "Croatian", {"P", "S", "L", "T", "D", "K"}},
    {"sr", "Serbian", {"П", "С", "Л", "Т", "Д", "К"}},
    {"bg", "Bulgarian", {"П", "К", "О", "Т", "Д", "Ц"}},
    {"uk", "Ukrainian", {"П", "К", "С", "Т", "Ф", "Кр"}},
    {"el", "Greek", {"Σ", "Ι", "Α", "Π", "Β", "Ρ"}},
    {"tr", "Turkish", {"P", "A", "F", "K", "V", "Ş"}},
});

/// The letters in Windows-1251, 1253 and 1254; for Russian also in KOI8-R and code page 866.
struct OldAlphabet {
    std::string_view code;
    PieceLetters letters;
};
constexpr auto kOldAlphabets = std::to_array<OldAlphabet>({
    {"ru", {"\xCF", "\xCA", "\xD1", "\xCB", "\xD4", "\xCA\xF0"}},
    {"ru", {"\xF0", "\xEB", "\xF3", "\xEC", "\xE6", "\xEB\xD2"}},
    {"ru", {"\x8F", "\x8A", "\x91", "\x8B", "\x94", "\x8A\xE0"}},
    {"sr", {"\xCF", "\xD1", "\xCB", "\xD2", "\xC4", "\xCA"}},
    {"bg", {"\xCF", "\xCA", "\xCE", "\xD2", "\xC4", "\xD6"}},
    {"uk", {"\xCF", "\xCA", "\xD1", "\xD2", "\xD4", "\xCA\xF0"}},
    {"el", {"\xD3", "\xC9", "\xC1", "\xD0", "\xC2", "\xD1"}},
    {"tr", {"P", "A", "F", "K", "V", "\xDE"}},
});

constexpr PieceLetters kWhiteFigurines = {"♙", "♘", "♗", "♖", "♕", "♔"};
constexpr PieceLetters kBlackFigurines = {"♟", "♞", "♝", "♜", "♛", "♚"};

constexpr std::size_t kAlphabets = kLanguages.size() + kOldAlphabets.size();

constexpr std::array<SanAlphabet, kAlphabets> all_alphabets() {
    std::array<SanAlphabet, kAlphabets> all{};
    std::size_t n = 0;
    for (const SanLanguage& language : kLanguages) {
        all[n++] = {&language, language.letters};
        for (const OldAlphabet& old : kOldAlphabets) {
            if (old.code == language.code) all[n++] = {&language, old.letters};
        }
    }
    return all;
}
constexpr std::array<SanAlphabet, kAlphabets> kAllAlphabets = all_alphabets();

PieceType find_letter(const PieceLetters& letters, std::string_view letter) {
    if (letter.empty()) return PieceType::kNone;
    const auto* found = std::ranges::find_if(letters, [&](std::string_view each) {
        return each.front() == letter.front() && each == letter;  // most differ in the first byte
    });
    return static_cast<PieceType>(found - letters.begin());
}
static_assert(static_cast<unsigned>(PieceType::kPawn) == 0 &&
              static_cast<unsigned>(PieceType::kKing) == 5 &&
              static_cast<unsigned>(PieceType::kNone) == 6);

}  // namespace

std::span<const SanLanguage> san_languages() { return kLanguages; }

const SanLanguage& english() { return kLanguages.front(); }

const SanLanguage* find_language(std::string_view code) {
    const auto* found = std::ranges::find(kLanguages, code, &SanLanguage::code);
    return found != kLanguages.end() ? found : nullptr;
}

std::string language_codes() { return base::joined(" ", kLanguages, &SanLanguage::code); }

PieceType SanAlphabet::piece(std::string_view letter) const {
    for (const PieceLetters* table : {&letters, &kWhiteFigurines, &kBlackFigurines}) {
        if (const PieceType type = find_letter(*table, letter); type != PieceType::kNone) {
            return type;
        }
    }
    return PieceType::kNone;
}

std::span<const SanAlphabet> san_alphabets() { return kAllAlphabets; }

std::span<const SanAlphabet> alphabets_of(const SanLanguage& language) {
    const auto is_other = [&](const SanAlphabet& a) { return a.language != &language; };
    const auto* begin = std::ranges::find_if_not(kAllAlphabets, is_other);
    return {begin, std::find_if(begin, kAllAlphabets.end(), is_other)};
}

const PieceType* pieces_of_letter(std::string_view letter) {
    using Pieces = std::array<PieceType, kAlphabets>;
    static const auto kLetters = [] {
        std::map<std::string_view, Pieces> all;
        const auto note = [&](const PieceLetters& letters, std::size_t begin, std::size_t end) {
            for (unsigned piece = 0; piece < letters.size(); ++piece) {
                const auto [known, added] = all.try_emplace(letters[piece]);
                if (added) known->second.fill(PieceType::kNone);
                std::fill(known->second.begin() + begin, known->second.begin() + end,
                          static_cast<PieceType>(piece));
            }
        };
        for (std::size_t i = 0; i < kAlphabets; ++i) note(kAllAlphabets[i].letters, i, i + 1);
        note(kWhiteFigurines, 0, kAlphabets);
        note(kBlackFigurines, 0, kAlphabets);
        return all;
    }();
    const auto found = kLetters.find(letter);
    return found != kLetters.end() ? found->second.data() : nullptr;
}

SanSpelling SanSpelling::figurines() { return SanSpelling(kWhiteFigurines); }

std::string_view SanSpelling::spell(std::string_view san, std::string& buffer) const {
    if (english_ || read_san_word(san).kind == SanWord::Kind::kUnknown) return san;
    buffer.clear();
    for (const char c : san) {
        const PieceType type = find_letter(english().letters, {&c, 1});
        if (type == PieceType::kNone) {
            buffer += c;
        } else {
            buffer += letters_[index(type)];
        }
    }
    return buffer;
}

}  // namespace fendex::chess
