// The symbols of Informator and similar books, as word processors write them: ±, ∞, □, +−. Pure
// functions over [p, end).
#pragma once

#include <cstddef>
#include <string_view>

namespace fendex::pgn {

struct Symbol {
    std::size_t size = 0;  // 0: there is no symbol
    /// The NAG, as text: "$16". Empty for a symbol without a number.
    std::string_view nag;
};

/// Returns the symbol at `p`, where a word begins. A symbol that may refer to either side gets
/// White's number (↑ is $36), as on Lichess.
Symbol match_symbol(const char* p, const char* end);

/// Returns the start of a symbol that ends the word [word, p). That is `p`, which must be at a byte
/// beyond ASCII, or up to two characters before it (e4+−, e4=∞). Null if the word goes on at `p`.
const char* symbol_in_word(const char* word, const char* p, const char* end);

/// Returns the NAG of a word that is one of the letters of Informator (N: novelty); empty for other
/// words.
std::string_view nag_of_letters(std::string_view word);
/// Removes such letters from the end of a move (Nf3N) and returns their NAG; empty if there are
/// none. It does not remove the letter of a promotion (e8N).
std::string_view take_letters(std::string_view& move);

}  // namespace fendex::pgn
