// Decoder of bzip2 archives: any number of streams (pbzip2 writes one per block). What follows the
// last one is ignored, as bzip2 does: silently if it is zeros, with a warning if not.
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
