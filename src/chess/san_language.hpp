// Piece letters of other languages (those in the PGN standard, section 17, and those of further
// countries) and the figurines of printed books. A language is a name. An alphabet is one way to
// write its letters in bytes: UTF-8, or an older code page. Constant tables; any thread may read
// them.
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

/// English first; the order decides between languages if nothing else does.
std::span<const SanLanguage> san_languages();
const SanLanguage& english();
/// Null if no language has the code.
const SanLanguage* find_language(std::string_view code);
/// "en pt fr ...".
std::string language_codes();

/// One way to write the letters of a language.
struct SanAlphabet {
    const SanLanguage* language;
    PieceLetters letters;

    /// Returns the piece that a letter or a figurine stands for; kNone if there is none.
    PieceType piece(std::string_view letter) const;
};

/// Returns all alphabets, in the order of languages. Those of one language follow each other, UTF-8
/// first.
std::span<const SanAlphabet> san_alphabets();
std::span<const SanAlphabet> alphabets_of(const SanLanguage& language);
/// Returns the piece that a letter stands for in each of san_alphabets(), with one look-up. Null if
/// no alphabet has the letter.
const PieceType* pieces_of_letter(std::string_view letter);

/// The spelling of moves in output: with the letters of a language or with figurines. As in books,
/// both sides have the figurines of the white pieces.
class SanSpelling {
  public:
    SanSpelling() : SanSpelling(english().letters) {}
    static SanSpelling of(const SanLanguage& language) { return SanSpelling(language.letters); }
    static SanSpelling figurines();

    bool is_english() const { return english_; }
    /// Returns a word of English SAN in this spelling. A word that does not look like a move is
    /// returned unchanged. The view is of `san` or of `buffer`.
    std::string_view spell(std::string_view san, std::string& buffer) const;

  private:
    explicit SanSpelling(const PieceLetters& letters)
        : letters_(letters), english_(letters == english().letters) {}

    PieceLetters letters_;
    bool english_;
};

}  // namespace fendex::chess
