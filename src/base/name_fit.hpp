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
    struct Word {
        std::string text;   // folded, in Latin letters
        std::string sound;  // equal for most transliterations of one name
    };
    enum class Likeness { kNone, kShortened, kWhole };
    static Likeness likeness(const Word& a, const Word& b);
    static bool has_all_words(const PersonName& fewer, const PersonName& more);

    std::vector<Word> words_;
    std::string sorted_;  // all words, in alphabetical order
    std::string joined_;  // the sounds of all words in their order, without blanks
    std::string surname_sound_;
};

/// Compares two names. At least one word must be alike as a whole; each other word of the name that
/// has fewer must be alike, or a beginning of, or begin with, another word of the other name.
[[nodiscard]] NameFit names_fit(const PersonName& a, const PersonName& b);

}  // namespace fendex::base
