#include "pgn/zstd_source.hpp"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "pgn/decoding_source.hpp"

namespace fendex::pgn {
namespace {

struct DctxDeleter {
    void operator()(ZSTD_DCtx* dctx) const { ZSTD_freeDCtx(dctx); }
};

constexpr std::size_t kMagicSize = 4;
constexpr std::size_t kFrameHeaderSizeMax = 18;
constexpr std::size_t kBlockHeaderSize = 3;

std::uint64_t little_endian(std::span<const char> bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    }
    return value;
}

/// The window a frame needs, in bytes (RFC 8878, 3.1.1.1), from a header that begins with the
/// magic number; nullopt if `header` is cut off. The library has this too, but only in the part of
/// its interface that must not be used with a shared library.
std::optional<std::uint64_t> window_size(std::span<const char> header) {
    if (header.size() <= kMagicSize) {
        return std::nullopt;
    }
    const auto descriptor = static_cast<unsigned char>(header[kMagicSize]);
    header = header.subspan(kMagicSize + 1);
    const bool single_segment = (descriptor & 0x20) != 0;
    if (!single_segment) {
        if (header.empty()) {
            return std::nullopt;
        }
        const auto window = static_cast<unsigned char>(header[0]);
        const std::uint64_t base = std::uint64_t{1} << (10 + (window >> 3));
        return base + base / 8 * (window & 7U);
    }
    // The frame has no window of its own: the whole content is the window.
    constexpr std::array<std::size_t, 4> kDictionaryIdSize{0, 1, 2, 4};
    constexpr std::array<std::size_t, 4> kContentSizeSize{1, 2, 4, 8};
    const std::size_t skip = kDictionaryIdSize[descriptor & 3U];
    const std::size_t size = kContentSizeSize[descriptor >> 6U];
    if (header.size() < skip + size) {
        return std::nullopt;
    }
    return little_endian(header.subspan(skip, size)) + (size == 2 ? 256 : 0);
}

std::string binary_size(std::uint64_t bytes) {
    constexpr std::array<const char*, 5> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
    std::size_t unit = 0;
    std::uint64_t divisor = 1024;
    while (unit + 1 < kUnits.size() && bytes / divisor >= 1024) {
        divisor *= 1024;
        ++unit;
    }
    // Tenths, rounded up: a window is never said to be smaller than it is.
    const std::uint64_t whole = bytes / divisor;
    const std::uint64_t tenths = ((bytes % divisor) * 10 + divisor - 1) / divisor;
    std::string text = std::to_string(tenths == 10 ? whole + 1 : whole);
    if (tenths != 0 && tenths != 10) {
        text += "." + std::to_string(tenths);
    }
    return text + " " + kUnits[unit];
}

class ZstdSource final : public DecodingSource {
  public:
    ZstdSource(std::unique_ptr<ByteSource> input, std::string name, int window_log_max)
        : DecodingSource(std::move(input), std::move(name), "zstd", Checked::kAtEnd),
          dctx_(ZSTD_createDCtx()),
          window_log_max_(window_log_max) {
        if (!dctx_) {
            throw std::bad_alloc();
        }
        const ZSTD_bounds bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
        if (window_log_max < bounds.lowerBound || window_log_max > bounds.upperBound) {
            throw std::invalid_argument("the zstd window must be " +
                                        std::to_string(bounds.lowerBound) + " to " +
                                        std::to_string(bounds.upperBound) + " (log2 of bytes)");
        }
        ZSTD_DCtx_setParameter(dctx_.get(), ZSTD_d_windowLogMax, window_log_max);
    }

  private:
    bool begin_frame() override {
        const std::span<char> magic = input().peek(kMagicSize);
        if (magic.empty()) {
            if (skip_padding()) fail_no_frame();
            return false;
        }
        const bool skippable =
            magic.size() >= kMagicSize && (little_endian(magic.first(kMagicSize)) &
                                           ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
        if (!skippable && !begins_with_magic()) return false;
        input().pass_gaps();  // a header has zeros, and a skippable frame may consist of them
        has_checksum_ = skippable;
        if (!skippable) {
            if (!read_header(input().peek(kFrameHeaderSizeMax))) return false;
            input().stop_at_gaps();
        }
        wanted_ = 1;
        output_pending_ = false;
        return true;
    }

    /// False after calling fail().
    bool begins_with_magic() {
        switch (look_ahead(kZstdMagic)) {
            case Ahead::kMagic: return true;
            case Ahead::kCutMagic: fail_cut_magic(); return false;
            default: fail_no_frame(); return false;
        }
    }

    /// False after calling fail().
    bool read_header(std::span<const char> header) {
        const std::optional<std::uint64_t> window = window_size(header);
        if (window && *window > std::uint64_t{1} << window_log_max_) {
            fail_window(*window);
            return false;
        }
        constexpr char kChecksumFlag = 4;
        has_checksum_ = header.size() > kMagicSize && (header[kMagicSize] & kChecksumFlag) != 0;
        return true;
    }

    /// Trailing bytes other than zeros are an error: zstd does not ignore them, unlike gzip and
    /// bzip2.
    void fail_no_frame() { fail_damaged("no zstd frame begins there"); }

    void fail_window(std::uint64_t window) {
        const auto log = static_cast<int>(std::bit_width(window - 1));
        std::string message = "needs a window of " + binary_size(window);
        if (log <= ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound) {
            const std::string text = std::to_string(log);
            message += " (zstd --long=" + text + "), more than the " +
                       binary_size(std::uint64_t{1} << window_log_max_) +
                       " allowed; allow it with --zstd-window " + text;
        } else {
            message += ", which is more than the zstd library can decode; compress it again";
        }
        if (input().offset() > 0) {
            message += " (the frame at byte " + std::to_string(input().offset()) + ")";
        }
        fail(message);
    }

    Step decode(std::span<char> in, std::span<char> out) override {
        // When a call fails, zstd does not say what it wrote before. So each call gets at most one
        // block or its header, and nothing while the block before is still being flushed. Text
        // before damage is then returned by an earlier call.
        const std::size_t wanted = output_pending_ ? 0 : wanted_;
        ZSTD_inBuffer source{in.data(), std::min(in.size(), wanted), 0};
        ZSTD_outBuffer target{out.data(), out.size(), 0};
        const std::size_t hint = ZSTD_decompressStream(dctx_.get(), &target, &source);
        Step step{.consumed = source.pos,
                  .produced = target.pos,
                  .frame_ended = hint == 0,
                  .has_checksum = has_checksum_,
                  .error = {}};
        output_pending_ = target.pos == target.size;
        if (ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation) {
            throw std::bad_alloc();
        }
        if (ZSTD_isError(hint) != 0) {
            step.error = ZSTD_getErrorName(hint);
        } else {
            // The hint is the rest of this block and the header of the next.
            wanted_ = hint > kBlockHeaderSize ? hint - kBlockHeaderSize : hint;
        }
        return step;
    }

    std::unique_ptr<ZSTD_DCtx, DctxDeleter> dctx_;
    int window_log_max_;
    bool has_checksum_ = false;    // the current frame
    std::size_t wanted_ = 1;       // bytes to give to the next call
    bool output_pending_ = false;  // a decoded block may not have fitted into `out`
};

}  // namespace

std::unique_ptr<ByteSource> make_zstd_source(std::unique_ptr<ByteSource> input, std::string name,
                                             int window_log_max) {
    return std::make_unique<ZstdSource>(std::move(input), std::move(name), window_log_max);
}

std::optional<std::uint64_t> zstd_text_size(std::string_view archive) {
    std::uint64_t sum = 0;
    while (!archive.empty()) {
        const std::uint64_t text = ZSTD_getFrameContentSize(archive.data(), archive.size());
        if (text == ZSTD_CONTENTSIZE_UNKNOWN) return std::nullopt;
        if (text == ZSTD_CONTENTSIZE_ERROR) break;
        // A damaged header can say anything.
        sum += std::min(text, std::numeric_limits<std::uint64_t>::max() - sum);
        const std::size_t size = ZSTD_findFrameCompressedSize(archive.data(), archive.size());
        if (ZSTD_isError(size) != 0) break;
        archive.remove_prefix(size);
    }
    return sum;
}

}  // namespace fendex::pgn
