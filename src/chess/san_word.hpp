// A move as it is written in any language, taken apart: what stands for pieces is left as written,
// for san_language.hpp to say what it means. Besides what parse_san() reads: figurines and letters
// of other scripts, ":" and "×" anywhere, pawn captures that name files only (ed, e:d, exd),
// e8(Q), "e.p.", ch, mate, †, ‡. Pure functions; views are into the text.
#pragma once

#include <array>
#include <string_view>

#include "chess/types.hpp"

namespace fendex::chess {

struct SanAlphabet;

struct SanWord {
    enum class Kind : std::uint8_t {
        kUnknown,
        kMove,
        kPawnFiles,  // a pawn's capture without a rank: `from_file` takes on `to_file`
        kDrop,       // "S@f3"
        kCastleShort,
        kCastleLong,
        kNull,
        kRemark,  // no move of its own, but what is written behind one: "ch", "mate", "†"
    };
    static constexpr char kAny = 0;

    Kind kind = Kind::kUnknown;
    std::string_view piece;      // empty: none is named
    std::string_view promotion;  // empty: none is named
    char from_file = kAny;
    char from_rank = kAny;
    char to_file = kAny;
    char to_rank = kAny;
    bool capture = false;
    char check = 0;               // '+' or '#'
    bool in_parentheses = false;  // the promotion
    std::string_view glyphs;      // "!?", "!+-"
};

SanWord read_san_word(std::string_view text);

/// A word in English SAN, as parse_san() reads it, without the glyphs behind it. Of fixed size:
/// one is made for every move that is read.
class EnglishSan {
  public:
    /// Empty where the alphabet does not have the letters, and of a word that is no move. Of
    /// kPawnFiles, the rank is given.
    EnglishSan(const SanWord& word, const SanAlphabet& alphabet, char to_rank = SanWord::kAny);

    std::string_view text() const { return {text_.data(), size_}; }
    bool empty() const { return size_ == 0; }

  private:
    void put(char c) {
        if (c != SanWord::kAny) text_[size_++] = c;
    }

    std::array<char, 12> text_;  // "Ng1xf3=Q#" and to spare
    std::size_t size_ = 0;
};

}  // namespace fendex::chess
