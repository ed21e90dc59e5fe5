#include "store/broken_game.hpp"

#include <zstd.h>
#include <zstd_errors.h>

#include <memory>
#include <new>
#include <stdexcept>

namespace fendex::store {

namespace {

constexpr int kLevel = 3;

struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

}  // namespace

std::string pack_broken_game(std::string_view text) {
    const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
    if (!context) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size =
        ZSTD_compress2(context.get(), packed.data(), packed.size(), text.data(), text.size());
    if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
    packed.resize(size);
    return packed;
}

std::optional<std::string> unpack_broken_game(std::string_view packed) {
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    // An unknown size is a huge number, so it is rejected, too.
    if (size > kMaxBrokenGame) return std::nullopt;
    std::string text(size, '\0');
    const std::size_t got = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
    // A failed allocation does not mean that the bytes are damaged.
    if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(got) != 0 || got != text.size()) return std::nullopt;
    return text;
}

}  // namespace fendex::store
