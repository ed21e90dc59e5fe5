// PGN text, as the standard's export format lays it out (section 3.2): tag pairs, a blank line,
// movetext in lines of at most 79 characters, the result. Comments are never wrapped: their text is
// as it was. What is written is read back as the same: see comment() for what cannot be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::pgn {

class GameWriter {
  public:
    explicit GameWriter(std::string& out) : out_(out) {}

    /// All tag pairs come before all else. Quotes and backslashes are escaped.
    void tag(std::string_view name, std::string_view value);
    /// `number` is printed where it is due: before White's moves, and before a move of Black that
    /// is the first, or behind a comment or a variation. A move may bring its mark with it (Nf3!?).
    void move(unsigned number, bool white, std::string_view san);

    /// In braces; where braces of its own forbid that (see fit_braces()), behind a `;`; where that
    /// cannot be either, for it has several lines, its braces become parentheses.
    void comment(std::string_view text);
    /// $14, +-
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
    char line_[kLineLength + 1];  // the line being filled, as far as it is not in out_ yet
    std::size_t filled_ = 0;
    std::size_t column_ = 0;
    bool in_moves_ = false;
    bool number_due_ = true;
    bool unclosed_ = false;  // a comment's brace, which the next one must not close
    bool joined_ = false;    // what comes next follows without a blank
};

}  // namespace fendex::pgn
