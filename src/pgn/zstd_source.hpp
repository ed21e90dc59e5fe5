// Decoder of zstd archives (RFC 8878): any number of frames, skippable ones among them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

inline constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

/// Decodes `input`, which messages call `name`. A frame whose window is larger than
/// 2^window_log_max bytes is a SourceError that says what it needs.
/// Throws std::invalid_argument if the library cannot take such a limit.
[[nodiscard]] std::unique_ptr<ByteSource> make_zstd_source(std::unique_ptr<ByteSource> input,
                                                           std::string name, int window_log_max);

/// Returns the size of an archive's text, as its frames state it; nullopt if a frame states none.
/// Everything after a damaged frame is ignored.
[[nodiscard]] std::optional<std::uint64_t> zstd_text_size(std::string_view archive);

}  // namespace fendex::pgn
