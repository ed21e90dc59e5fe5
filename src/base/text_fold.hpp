// Names as people type them: without regard to case, accents, punctuation marks or the blanks
// around them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fendex::base {

/// Lower case, without accents (also "o" for "ø", "l" for "ł", "ss" for "ß"), whatever is neither
/// letter nor digit as one blank. What is no UTF-8 is taken byte by byte.
std::string fold(std::string_view text);

/// Words as people type them to find a name: each must begin another word of the name, in whatever
/// order they stand. So "magnus carl" fits "Carlsen, Magnus", but no word fits an initial that is
/// shorter than it.
class NameWords {
  public:
    /// No words fit every name.
    NameWords() = default;
    explicit NameWords(std::string_view folded);

    bool empty() const { return words_.empty(); }
    bool fit(std::string_view folded_name) const;
    /// The longest first.
    const std::vector<std::string>& words() const { return words_; }

  private:
    std::vector<std::string> words_;
    bool nested_ = false;  // one of them begins another: both could begin the same word of a name
};

/// The words of a folded text; views into it.
std::vector<std::string_view> words_of(std::string_view folded);

}  // namespace fendex::base
