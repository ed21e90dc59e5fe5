// What people wrote around the moves of a game, as a stream of tokens: comments, NAGs and other
// glyphs, variations, each at its place among the moves. The writer takes them in the order of the
// text; the reader gives them back. Clocks and evaluations as servers write them are numbers of few
// bytes, in columns of their own, which compress apart. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/bits.hpp"

namespace fendex::codec {

enum class AnnotationToken : std::uint8_t {
    kMove = 1,  // the next move of the game stands here
    kComment,   // its text, without braces
    kGlyph,     // $14, !?, +- : as written
    kOpen,      // a variation begins, perhaps inside another
    kClose,     // and ends
    kWord,      // of a variation: a move, its number, a glyph, or what is none of these
    kResult,    // the game's result stands here; where there is none, it comes last
};

namespace detail {

/// The clocks and the evaluation before: what is stored are differences.
struct AnnotationNumbers {
    std::int64_t clocks[2] = {};  // in tenths of a second; the two players' in turn
    unsigned turn = 0;
    std::int64_t eval = 0;  // in hundredths of a pawn
};

}  // namespace detail

/// Texts have no NUL, words no blanks either.
class AnnotationStreamWriter {
  public:
    void clear();
    void move();
    void comment(std::string_view text);
    void glyph(std::string_view text) { put(AnnotationToken::kGlyph, text); }
    void open() { put(AnnotationToken::kOpen); }
    void word(std::string_view text);
    void close() { put(AnnotationToken::kClose); }
    void result();

    /// Nothing but moves so far.
    bool empty() const { return text_.empty(); }
    void append_to(std::string& out) const;

  private:
    void place();
    void put(AnnotationToken token);
    void put(AnnotationToken token, std::string_view text);

    std::string text_;
    std::string clocks_;
    std::string evals_;
    detail::AnnotationNumbers numbers_;
    std::size_t moves_ = 0;  // since the last token
    bool result_ = false;    // behind those moves
    bool in_words_ = false;  // text_ ends with words of a variation
};

class AnnotationStreamReader {
  public:
    explicit AnnotationStreamReader(std::string_view stream);

    /// False at the end, or where the stream is damaged.
    bool next();
    AnnotationToken token() const { return token_; }
    /// Of a comment, glyph or word; lives until the next call.
    std::string_view text() const { return text_; }
    /// Of variations around the token, its own included where it opens or closes one.
    unsigned depth() const { return depth_; }
    bool corrupt() const { return corrupt_; }

  private:
    bool fail();
    bool read_text();
    bool expand(std::string_view packed);
    bool expand_clock(bool tenths);
    bool expand_eval();

    std::string_view tokens_;
    ByteReader clocks_;
    ByteReader evals_;
    detail::AnnotationNumbers numbers_;
    std::string_view words_;  // of a variation, not given out yet
    AnnotationToken token_ = AnnotationToken::kMove;
    std::string_view text_;
    std::string expanded_;
    unsigned depth_ = 0;
    bool closed_ = false;  // the token before closed a variation
    bool corrupt_ = false;
};

}  // namespace fendex::codec
