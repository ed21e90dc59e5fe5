// Decoder of bzip2 archives: any number of streams (pbzip2 writes one per block). Bytes after the
// last stream are ignored, as bzip2 does: zeros silently, others with a warning.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

inline constexpr std::string_view kBzip2Magic = "BZh";

/// Decodes `input`, which messages call `name`.
[[nodiscard]] std::unique_ptr<ByteSource> make_bzip2_source(std::unique_ptr<ByteSource> input,
                                                            std::string name);

}  // namespace fendex::pgn
