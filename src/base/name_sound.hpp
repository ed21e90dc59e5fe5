// The sound of a word of a name: what its spellings in several languages and alphabets share.
#pragma once

#include <string>
#include <string_view>

namespace fendex::base {

/// Returns a folded word (text_fold.hpp) in Latin letters; it may have Cyrillic ones.
[[nodiscard]] std::string in_latin_letters(std::string_view folded);

/// Returns a name, folded, in Latin letters.
[[nodiscard]] std::string folded_in_latin(std::string_view name);

/// Returns how a folded word in Latin letters sounds, roughly: "tchigorin", "chigorin" and
/// "cigorin" are one. Different words may have the same sound.
[[nodiscard]] std::string sound_of(std::string_view word);

/// Returns the letter with which sound_of() begins, zero for no word.
[[nodiscard]] char first_sound(std::string_view word);

/// Returns the letters with which sound_of() may begin for words that begin with these letters.
[[nodiscard]] std::string first_sounds(std::string_view beginning);

/// Returns whether sound_of() may begin with one of these letters for folded words that begin so;
/// these may have Cyrillic letters.
[[nodiscard]] bool may_sound_like(std::string_view beginning, std::string_view sounds);

}  // namespace fendex::base
