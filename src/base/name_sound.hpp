// The sound of a word of a name: what its spellings in several languages and alphabets share.
#pragma once

#include <string>
#include <string_view>

namespace fendex::base {

/// Returns a spelling in Latin letters that is the same for usual transliterations of a word:
/// "korchnoi" for "korchnoi", "kortschnoj" and "корчнои". The word must be folded
/// (text_fold.hpp). Different words may have the same sound.
[[nodiscard]] std::string sound_of(std::string_view folded_word);

}  // namespace fendex::base
