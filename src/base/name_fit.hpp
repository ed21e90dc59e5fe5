// Decides whether two names may be spellings of one person's name: other case, accents,
// punctuation, word order or alphabet (Cyrillic), initials, left out words, one typing error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fendex::base {

enum class NameFit {
    kOther,    // these are two persons' names
    kUnknown,  // at least one is no name: "?", "N.N."
    kNear,     // the surnames are alike, and nothing else contradicts
    kSame,     // the same words in any order
};

/// A word of a name.
struct NameWord {
    /// The word must be folded (text_fold.hpp), in Latin letters (name_sound.hpp).
    explicit NameWord(std::string_view latin);

    std::string text;
    std::string sound;  // equal for most transliterations of one word
};

enum class WordFit {
    kOther,
    kShortened,  // one begins with the other, as a whole or as it sounds
    kMistyped,   // some letters differ, fewer than words_fit() takes for chance
    kSound,      // they sound alike
    kSame,       // one letter is never kSame: it is an initial
};
[[nodiscard]] WordFit words_fit(const NameWord& a, const NameWord& b);

/// A person's name, prepared for comparisons.
class PersonName {
  public:
    explicit PersonName(std::string_view name);

    bool is_unknown() const { return words_.empty(); }
    /// Returns the surname as it sounds, for sorting names so that near ones are neighbours: the
    /// words before the comma or, without a comma, the last word.
    const std::string& surname_sound() const { return surname_sound_; }

    friend NameFit names_fit(const PersonName& a, const PersonName& b);

  private:
    static bool has_all_words(const PersonName& fewer, const PersonName& more);

    std::vector<NameWord> words_;
    std::string sorted_;  // all words, in alphabetical order
    std::string joined_;  // the sounds of all words in their order, without blanks
    std::string surname_sound_;
};

/// Compares two names. At least one word must be alike as a whole; each other word of the name that
/// has fewer must be alike, or a beginning of, or begin with, another word of the other name.
[[nodiscard]] NameFit names_fit(const PersonName& a, const PersonName& b);

}  // namespace fendex::base
