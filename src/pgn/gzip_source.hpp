// Decoder of gzip archives (RFC 1952): any number of members. Bytes after the last member are
// ignored, as gzip does: zeros silently, others with a warning.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

inline constexpr std::string_view kGzipMagic = "\x1f\x8b";

/// Decodes `input`, which messages call `name`.
[[nodiscard]] std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<ByteSource> input,
                                                           std::string name);

}  // namespace fendex::pgn
