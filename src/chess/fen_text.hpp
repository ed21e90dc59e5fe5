// Cuts the text of a FEN into words, before its fields are read. Words may be separated as in web
// addresses. Pure functions; views are into the text.
#pragma once

#include <string>
#include <string_view>

namespace fendex::chess::fen_text {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
constexpr bool is_printable(char c) { return c >= ' ' && c <= '~'; }

inline constexpr std::string_view kBlanks = " \t\r\n";

/// The text with a blank in place of each separator and without the escapes of web addresses.
class PlainText {
  public:
    explicit PlainText(std::string_view text);

    std::string_view plain() const { return plain_; }
    /// Returns the original text of `last`, which must be the end of plain().
    std::string_view original(std::string_view last) const;

  private:
    std::size_t length_at(std::size_t i) const;

    std::string_view text_;
    std::string plain_;
};

}  // namespace fendex::chess::fen_text
