// The letters by which pieces are called in other languages (PGN standard, section 17, and what is
// printed in countries it does not list), and the figurines of print. A language is a name; an
// alphabet is one way to write its letters in bytes: UTF-8, or the code pages of the time before.
// Constant tables; any thread may read them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "chess/types.hpp"

namespace fendex::chess {

/// The letters for P N B R Q K, in the order of PieceType.
using PieceLetters = std::array<std::string_view, 6>;

struct SanLanguage {
    std::string_view code;  // "de"
    std::string_view name;  // "German"
    PieceLetters letters;   // UTF-8
};

/// English first; the order decides between languages where nothing else does.
std::span<const SanLanguage> san_languages();
const SanLanguage& english();
/// Null where no language has the code.
const SanLanguage* find_language(std::string_view code);
/// "en pt fr ...".
std::string language_codes();

/// One way to write the letters of a language.
struct SanAlphabet {
    const SanLanguage* language;
    PieceLetters letters;

    /// The piece that a letter or a figurine stands for; kNone where it stands for none.
    PieceType piece(std::string_view letter) const;
};

/// All there are: those of a language side by side, UTF-8 first, in the order of languages.
std::span<const SanAlphabet> san_alphabets();
std::span<const SanAlphabet> alphabets_of(const SanLanguage& language);
/// Returns the piece that a letter stands for in each of san_alphabets(), with one look-up. Null if
/// no alphabet has the letter.
const PieceType* pieces_of_letter(std::string_view letter);

/// How pieces are called in what is written: by the letters of a language, or by figurines, of
/// which those of the white pieces are printed for both sides, as books do.
class SanSpelling {
  public:
    SanSpelling() : SanSpelling(english().letters) {}
    static SanSpelling of(const SanLanguage& language) { return SanSpelling(language.letters); }
    static SanSpelling figurines();

    bool is_english() const { return english_; }
    /// A text in English SAN (a move, or what a variation has for one) in this spelling; what does
    /// not look like a move stays as it is. The view is of `san` or of `buffer`.
    std::string_view spell(std::string_view san, std::string& buffer) const;

  private:
    explicit SanSpelling(const PieceLetters& letters)
        : letters_(letters), english_(letters == english().letters) {}

    PieceLetters letters_;
    bool english_;
};

}  // namespace fendex::chess
