// PGN text, as the standard's export format lays it out (section 3.2): tag pairs, a blank line,
// movetext in lines of at most 79 characters, the result.
#pragma once

#include <string>
#include <string_view>

namespace fendex::pgn {

class GameWriter {
  public:
    explicit GameWriter(std::string& out) : out_(out) {}

    /// All tag pairs come before the first move. Quotes and backslashes are escaped.
    void tag(std::string_view name, std::string_view value);
    /// `number` is printed where it is due: before White's moves, and before a first move of Black.
    void move(unsigned number, bool white, std::string_view san);
    /// Ends the game.
    void result(std::string_view marker);

  private:
    void word(std::string_view text);

    std::string& out_;
    std::size_t column_ = 0;
    bool in_moves_ = false;
};

}  // namespace fendex::pgn
