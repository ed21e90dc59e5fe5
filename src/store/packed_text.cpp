#include "store/packed_text.hpp"

#include <zstd.h>

#include <stdexcept>

namespace fendex::store {

namespace {

constexpr int kLevel = 3;

}  // namespace

std::string pack_text(std::string_view text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), kLevel);
    if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
    packed.resize(size);
    return packed;
}

std::optional<std::string> unpack_text(std::string_view packed) {
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    // What is not known is a number beyond all limits, too.
    if (size > kMaxPackedText) return std::nullopt;
    std::string text(size, '\0');
    const std::size_t got = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
    if (ZSTD_isError(got) != 0 || got != text.size()) return std::nullopt;
    return text;
}

}  // namespace fendex::store
