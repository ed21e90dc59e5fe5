// Text in memory as a source. UTF-16 with a byte order mark is read as UTF-8.
#pragma once

#include <memory>
#include <string>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

[[nodiscard]] std::unique_ptr<ByteSource> make_text_source(std::string text);

}  // namespace fendex::pgn
