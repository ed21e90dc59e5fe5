// PGN text, as the standard's export format lays it out (section 3.2): tag pairs, a blank line,
// movetext in lines of at most 79 characters, the result.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::pgn {

class GameWriter {
  public:
    explicit GameWriter(std::string& out) : out_(out) {}

    /// All tag pairs come before the first move. Quotes and backslashes are escaped.
    void tag(std::string_view name, std::string_view value);
    /// `number` is printed where it is due: before White's moves, and before a first move of Black.
    /// Words have less than a line's length.
    void move(unsigned number, bool white, std::string_view san);
    /// Ends the game.
    void result(std::string_view marker);

  private:
    static constexpr std::size_t kLineLength = 79;

    void word(std::string_view text);
    void end_line();

    std::string& out_;
    char line_[kLineLength + 1];  // the line being filled, and room for its end
    std::size_t column_ = 0;
    bool in_moves_ = false;
};

}  // namespace fendex::pgn
