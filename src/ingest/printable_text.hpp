// Text of an input, for messages.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/utf8.hpp"
#include "pgn/lexer.hpp"

namespace fendex::ingest {

/// The longest text of an input in a message.
inline constexpr std::size_t kMaxErrorText = 60;

/// Returns the beginning of a text, fit for terminals and tables: without line ends and invalid
/// bytes.
inline std::string printable_text(std::string_view text) {
    std::string out = pgn::clean_value(base::utf8_prefix(text, kMaxErrorText));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return pgn::is_newline(c) || c == '\t'; }, ' ');
    return out;
}

}  // namespace fendex::ingest
