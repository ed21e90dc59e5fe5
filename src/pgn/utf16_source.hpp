// UTF-16 text, little or big endian, as UTF-8. It is recognised by its byte order mark; any other
// text passes as it is. Offsets are those of the input; what is read, and so the bytes and lines of
// games, are UTF-8.
#pragma once

#include <memory>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

/// Half a surrogate pair and half a character become U+FFFD.
[[nodiscard]] std::unique_ptr<ByteSource> make_utf16_source(std::unique_ptr<ByteSource> text);

}  // namespace fendex::pgn
