#include "codec/text_packer.hpp"

#include <zdict.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <array>
#include <new>
#include <stdexcept>

namespace fendex::codec {

namespace {

constexpr int kLevel = 5;
/// The magic number at the start of every frame. It is not stored.
constexpr std::string_view kMagic("\x28\xB5\x2F\xFD", 4);

struct ContextDeleter {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

/// Returns whether a call of zstd succeeded. Throws std::bad_alloc if zstd had no memory, because
/// that does not mean that the bytes are damaged.
bool succeeded(std::size_t code) {
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    return ZSTD_isError(code) == 0;
}

void require(std::size_t code) {
    if (!succeeded(code)) {
        throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(code));
    }
}

}  // namespace

std::string train_dictionary(std::string_view samples, std::span<const std::size_t> sizes,
                             std::size_t max_bytes) {
    std::string dictionary(max_bytes, '\0');
    const std::size_t size =
        ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), samples.data(), sizes.data(),
                              static_cast<unsigned>(sizes.size()));
    dictionary.resize(ZDICT_isError(size) != 0 ? 0 : size);
    return dictionary;
}

struct TextPacker::State {
    std::unique_ptr<ZSTD_CCtx, ContextDeleter> context{ZSTD_createCCtx()};
    std::string frame;
};

TextPacker::TextPacker(std::string_view dictionary) : state_(std::make_unique<State>()) {
    ZSTD_CCtx* context = state_->context.get();
    if (context == nullptr) throw std::bad_alloc();
    require(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel));
    require(ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0));
    require(ZSTD_CCtx_loadDictionary(context, dictionary.data(), dictionary.size()));
}

TextPacker::~TextPacker() = default;
TextPacker::TextPacker(TextPacker&&) noexcept = default;
TextPacker& TextPacker::operator=(TextPacker&&) noexcept = default;

void TextPacker::pack(std::string_view text, std::string& out) {
    std::string& frame = state_->frame;
    frame.resize(ZSTD_compressBound(text.size()));
    const std::size_t size =
        ZSTD_compress2(state_->context.get(), frame.data(), frame.size(), text.data(), text.size());
    require(size);
    out.append(frame, kMagic.size(), size - kMagic.size());
}

struct TextUnpacker::State {
    std::unique_ptr<ZSTD_DCtx, ContextDeleter> context{ZSTD_createDCtx()};
    bool is_usable = false;
    std::string frame;
};

TextUnpacker::TextUnpacker(std::string_view dictionary) : state_(std::make_unique<State>()) {
    if (!state_->context) throw std::bad_alloc();
    state_->is_usable = succeeded(
        ZSTD_DCtx_loadDictionary(state_->context.get(), dictionary.data(), dictionary.size()));
}

TextUnpacker::~TextUnpacker() = default;
TextUnpacker::TextUnpacker(TextUnpacker&&) noexcept = default;
TextUnpacker& TextUnpacker::operator=(TextUnpacker&&) noexcept = default;

bool TextUnpacker::is_usable() const { return state_->is_usable; }

bool TextUnpacker::unpack(std::string_view packed, std::size_t max_bytes, std::string& out) {
    if (!is_usable()) return false;
    std::string& frame = state_->frame;
    frame.assign(kMagic).append(packed);
    const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
    // Also true if the size is unknown or the frame is invalid: zstd then returns huge numbers.
    if (size > max_bytes) return false;
    out.resize(static_cast<std::size_t>(size));
    const std::size_t got = ZSTD_decompressDCtx(state_->context.get(), out.data(), out.size(),
                                                frame.data(), frame.size());
    return succeeded(got) && got == size;
}

}  // namespace fendex::codec
