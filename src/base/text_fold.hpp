// Names compared as people type them: without regard to case, accents, punctuation marks or
// surrounding blanks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fendex::base {

/// Returns the text in lower case and without accents (also "o" for "ø", "l" for "ł", "ss" for
/// "ß"); anything that is not a letter or digit becomes one blank. Invalid UTF-8 is taken byte by
/// byte.
[[nodiscard]] std::string fold(std::string_view text);

/// The letters and digits that words of folded ASCII texts have.
inline constexpr std::string_view kWordLetters = "abcdefghijklmnopqrstuvwxyz0123456789";

/// Words typed to find a name. Each must be a prefix of a word of the name, in any order, and no
/// two of the same word: "magnus carl" fits "Carlsen, Magnus". A typed word does not fit an initial
/// that is shorter than it.
class NameWords {
  public:
    /// Has no words and fits every name.
    NameWords() = default;
    explicit NameWords(std::string_view folded);

    bool empty() const { return words_.empty(); }
    bool fit(std::string_view folded_name) const;
    /// Longest first.
    const std::vector<std::string>& words() const { return words_; }

  private:
    std::vector<std::string> words_;
    // One word is a prefix of another, so both could match the same word of a name.
    bool nested_ = false;
};

/// Returns the words of a folded text, as views into it.
std::vector<std::string_view> words_of(std::string_view folded);

}  // namespace fendex::base
