// Reads UTF-16 text, little or big endian, as UTF-8. It is recognised by its byte order mark; other
// text passes unchanged. Offsets are those of the input. The bytes and lines of games are counted
// in the UTF-8 text.
#pragma once

#include <memory>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

/// Half a surrogate pair and half a character become U+FFFD.
[[nodiscard]] std::unique_ptr<ByteSource> make_utf16_source(std::unique_ptr<ByteSource> text);

}  // namespace fendex::pgn
