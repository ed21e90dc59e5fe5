// Writes PGN text in the layout of the standard's export format (section 3.2): tag pairs, a blank
// line, movetext in lines of at most 79 characters, the result. Comments are not changed, so they
// are never wrapped. Reading the text gives the same game; comment() describes the exception.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::pgn {

class GameWriter {
  public:
    explicit GameWriter(std::string& out) : out_(out) {}

    /// Tag pairs come first. Quotes and backslashes are escaped.
    void tag(std::string_view name, std::string_view value);
    /// `number` is printed before White's moves, and before a move of Black that comes first or
    /// after a comment or a variation. A move may end with its mark (Nf3!?).
    void move(unsigned number, bool white, std::string_view san);

    /// Writes a comment in braces. If braces in the text do not allow that (see fit_braces()),
    /// writes it after a `;`. If it also has several lines, its braces become parentheses, as does
    /// a `[` at the start of a line.
    void comment(std::string_view text);
    /// Writes a glyph: $14, +-.
    void glyph(std::string_view text);
    void open_variation();
    void word(std::string_view text);
    void close_variation();

    void result(std::string_view marker);
    /// Ends the game.
    void end();

  private:
    static constexpr std::size_t kLineLength = 79;

    void begin_movetext();
    void separate(std::size_t size);
    void put(std::string_view text);
    void put_word(std::string_view text);
    void end_line();

    std::string& out_;
    char line_[kLineLength + 1];  // the line being filled, not in out_ yet
    std::size_t filled_ = 0;
    std::size_t column_ = 0;
    bool in_moves_ = false;
    bool number_due_ = true;
    bool unclosed_ = false;  // a comment's inner brace, which the next one must not close
    bool joined_ = false;    // the next token follows without a blank
};

}  // namespace fendex::pgn
