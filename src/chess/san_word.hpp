// Splits a move written in any language into its parts. Piece letters are left as written;
// san_language.hpp says what they mean. Besides what parse_san() reads, it accepts figurines and
// letters of other scripts, ":" and "×" anywhere, pawn captures that name files only (ed, e:d,
// exd), drops, e8(Q), "e.p.", ch, mate, †, ‡. Pure functions; views are into the text.
#pragma once

#include <array>
#include <string_view>

#include "chess/san.hpp"

namespace fendex::chess {

struct SanAlphabet;

struct SanWord {
    enum class Kind : std::uint8_t {
        kUnknown,
        kMove,
        kRemark,  // not a move, but a remark after one: "ch", "mate", "†"
    };

    Kind kind = Kind::kUnknown;
    SanMove move;                 // without the pieces that the next two name
    std::string_view piece;       // empty if none is named
    std::string_view promotion;   // empty if none is named
    char check = 0;               // '+' or '#'
    bool in_parentheses = false;  // the promotion is in parentheses
    std::string_view glyphs;      // "!?", "!+-"

    /// "ed": a pawn's capture without a rank.
    bool names_files_only() const {
        return kind == Kind::kMove && move.kind == SanMove::Kind::kPiece &&
               move.to_rank == SanMove::kAny;
    }
};

SanWord read_san_word(std::string_view text);

/// Finds the one legal move that a word names in an alphabet.
template <Board B>
[[nodiscard]] SanError read_san(const B& position, const SanWord& word, const SanAlphabet& alphabet,
                                Move& out);

/// A word in English SAN, without the glyphs after it. Its size is fixed, because one is made for
/// every word of a variation.
class EnglishSan {
  public:
    /// Empty if the alphabet does not have the letters, if the word is not a move, or if it names
    /// files only, because the rank depends on the board.
    EnglishSan(const SanWord& word, const SanAlphabet& alphabet);

    std::string_view text() const { return {text_.data(), size_}; }
    bool empty() const { return size_ == 0; }

  private:
    void put(char c) { text_[size_++] = c; }
    void put(std::string_view text) {
        for (const char c : text) put(c);
    }

    std::array<char, 12> text_;  // enough for "Ng1xf3=Q#"
    std::size_t size_ = 0;
};

}  // namespace fendex::chess
