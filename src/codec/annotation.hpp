// The annotations of a game as a stream of tokens: comments, NAGs and other glyphs, and variations,
// each at its place among the moves. The writer takes them in the order of the text; the reader
// returns them in that order. Clocks and evaluations in the form that servers write are stored as
// numbers of few bytes, in columns of their own, which compress separately. Do not change: on disk
// (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/bits.hpp"

namespace fendex::codec {

enum class AnnotationToken : std::uint8_t {
    kMove = 1,  // the next move of the game stands here
    kComment,   // its text, without braces
    kGlyph,     // $14, !?, +- : as written
    kOpen,      // a variation begins, perhaps nested
    kClose,     // a variation ends
    kWord,      // inside a variation: a move, its number, a glyph, or any other word
    kResult,    // the game's result is here; without this token it comes last
};

namespace detail {

/// The last clocks and evaluation; the stream stores differences from them.
struct AnnotationNumbers {
    std::int64_t clocks[2] = {};  // in tenths of a second, for the two players in turn
    unsigned turn = 0;
    std::int64_t eval = 0;  // in hundredths of a pawn
};

}  // namespace detail

/// Texts must not contain NUL; words must not contain blanks either.
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

    /// True if there have been only moves so far.
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
    bool result_ = false;    // the result follows those moves
    bool in_words_ = false;  // text_ ends with words of a variation
};

class AnnotationStreamReader {
  public:
    explicit AnnotationStreamReader(std::string_view stream);

    /// Goes to the next token. False at the end, or if the stream is damaged.
    [[nodiscard]] bool next();
    AnnotationToken token() const { return token_; }
    /// Text of a comment, glyph or word; valid until the next call.
    std::string_view text() const { return text_; }
    /// Number of variations around the token, including the one that it opens or closes.
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
    std::string_view words_;  // rest of a variation's words
    AnnotationToken token_ = AnnotationToken::kMove;
    std::string_view text_;
    std::string expanded_;
    unsigned depth_ = 0;
    bool closed_ = false;  // the last token closed a variation
    bool corrupt_ = false;
};

/// Returns how many moves of the game a stream has; empty if the stream is damaged.
[[nodiscard]] std::optional<std::size_t> moves_of_annotation(std::string_view stream);

/// Returns the part of a stream that belongs to the first `moves` moves: everything before the move
/// after them. Empty if that part has no annotations. A damaged stream is cut before the damage,
/// and variations that are open there are closed.
[[nodiscard]] std::string cut_annotation(std::string_view stream, std::size_t moves);

}  // namespace fendex::codec
