// Bit streams and varints of the stored format. Bits fill each byte from the lowest to the highest;
// the lowest bit of a number comes first. Readers check every bound: past the end they return zeros
// and set failed(), so that a decoder need not check each read. Do not change: on disk
// (schema/FORMAT.md).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/little_endian.hpp"

namespace fendex::codec {

/// Bits needed to distinguish `n` values: 0 for 0 and 1.
constexpr unsigned bits_for(std::uint64_t n) {
    return n <= 1 ? 0 : static_cast<unsigned>(std::bit_width(n - 1));
}

/// Bits to be written, at most 64 of them.
struct BitCode {
    std::uint64_t bits = 0;
    unsigned size = 0;

    constexpr void append(const BitCode& code) {
        bits |= code.bits << size;
        size += code.size;
    }
};

/// One of `n` values in bits_for(n) bits, or one bit less for the lowest ones (truncated binary).
class UniformCodes {
  public:
    constexpr explicit UniformCodes(std::uint64_t n)
        : bits_(bits_for(n)), short_codes_((std::uint64_t{1} << bits_) - n) {}

    constexpr BitCode code(std::uint64_t value) const {
        if (bits_ == 0) return {};
        if (value < short_codes_) return {value, bits_ - 1};
        const std::uint64_t code = value + short_codes_;
        return {code >> 1 | (code & 1) << (bits_ - 1), bits_};
    }

  private:
    unsigned bits_;
    std::uint64_t short_codes_;
};

/// Rice: the high part in unary, `k` low bits. (value >> k) + 1 + k must be at most 64.
constexpr BitCode short_rice_code(std::uint64_t value, unsigned k) {
    const auto high = static_cast<unsigned>(value >> k);
    const std::uint64_t low = value & ((std::uint64_t{1} << k) - 1);
    return {std::uint64_t{1} << high | (low << 1) << high, high + 1 + k};
}

class BitWriter {
  public:
    void put(const BitCode& code) { put(code.bits, code.size); }
    /// `value` must be below 2^bits; bits <= 64.
    [[gnu::always_inline]] void put(std::uint64_t value, unsigned bits) {
        pending_ |= value << filled_;
        filled_ += bits;
        if (filled_ >= 64) append_pending(value, bits);
    }
    /// Writes one of `n` values (UniformCodes).
    void put_uniform(std::uint64_t value, std::uint64_t n) { put(UniformCodes(n).code(value)); }
    /// Writes a Rice code, for numbers whose mean is about 2^k (short_rice_code()).
    void put_rice(std::uint64_t value, unsigned k) {
        std::uint64_t high = value >> k;
        while (high >= 32) {
            put(0, 32);
            high -= 32;
        }
        const std::uint64_t low = value & ((std::uint64_t{1} << k) - 1);
        if (high + 1 + k <= 64) {
            put(short_rice_code(high << k | low, k));
        } else {
            put(std::uint64_t{1} << high, static_cast<unsigned>(high) + 1);
            put(low, k);
        }
    }
    /// Writes an exponential Golomb code, for numbers that may be far from their mean of about 2^k.
    void put_golomb(std::uint64_t value, unsigned k) {
        const std::uint64_t v = (value >> k) + 1;
        const auto length = static_cast<unsigned>(std::bit_width(v));
        // `value` is less than the largest number, so v is not 0 and has a length of 1 or more.
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
        const std::uint64_t middle = v & ((std::uint64_t{1} << (length - 1)) - 1);
        const std::uint64_t low = value & ((std::uint64_t{1} << k) - 1);
        if (2 * length - 1 + k <= 64) {
            put(std::uint64_t{1} << (length - 1) | middle << length | low << (2 * length - 1),
                2 * length - 1 + k);
        } else {
            put(std::uint64_t{1} << (length - 1), length);
            put(middle, length - 1);
            put(low, k);
        }
    }
    std::size_t bit_count() const { return bytes_.size() * 8 + filled_; }
    /// Pads to a whole byte and returns the bytes; the writer is empty again.
    std::string take() {
        std::string out;
        out.reserve(bytes_.size() + 8);
        append_to(out);
        clear();
        return out;
    }
    /// Appends everything written so far, padded to a whole byte.
    void append_to(std::string& out) const {
        char raw[8];
        fill(raw);
        out += bytes_;
        out.append(raw, (filled_ + 7) / 8);
    }
    /// Returns the bytes that have these bits.
    std::string bytes_with(std::size_t begin, std::size_t bits) const {
        const std::size_t first = begin / 8;
        const std::size_t size = (begin + bits + 7) / 8 - first;
        std::string out = bytes_.substr(std::min(first, bytes_.size()), size);
        char raw[8];
        fill(raw);
        const std::size_t skipped = first > bytes_.size() ? first - bytes_.size() : 0;
        return out.append(raw + skipped, size - out.size());
    }
    void clear() {
        bytes_.clear();
        pending_ = 0;
        filled_ = 0;
    }

  private:
    /// Appends a full word. The remaining bits of `value`, the number put last, become the pending
    /// bits.
    [[gnu::noinline]] void append_pending(std::uint64_t value, unsigned bits) {
        char raw[8];
        fill(raw);
        bytes_.append(raw, 8);
        filled_ -= 64;
        const unsigned used = bits - filled_;
        pending_ = used < 64 ? value >> used : 0;
    }

    /// Writes the pending bits as bytes.
    void fill(char (&raw)[8]) const {
        const std::uint64_t word = base::little_endian(pending_);
        std::memcpy(raw, &word, sizeof raw);
    }

    std::string bytes_;
    std::uint64_t pending_ = 0;
    unsigned filled_ = 0;
};

class BitReader {
  public:
    explicit BitReader(std::string_view bytes) : bytes_(bytes), end_(bytes.size() * 8) {}
    /// Begins at a bit that is there.
    BitReader(std::string_view bytes, std::size_t position)
        : bytes_(bytes), end_(bytes.size() * 8), position_(position) {}

    /// bits <= 56. In many callers: the compiler would not put it into the loops that need it.
    [[gnu::always_inline]] std::uint64_t get(unsigned bits) {
        const std::uint64_t value = peek() & ((std::uint64_t{1} << bits) - 1);
        skip(bits);
        return value;
    }
    std::uint64_t get_uniform(std::uint64_t n) {
        const unsigned bits = bits_for(n);
        if (bits == 0) return 0;
        const std::uint64_t short_codes = (std::uint64_t{1} << bits) - n;
        const std::uint64_t value = get(bits - 1);
        if (value < short_codes) return value;
        return (value << 1 | get(1)) - short_codes;
    }
    std::uint64_t get_rice(unsigned k) {
        std::uint64_t high = 0;
        while (true) {
            const std::uint64_t word = peek();
            const std::uint64_t window = word & 0xFFFFFFFFU;
            if (window != 0) {
                const auto zeros = static_cast<unsigned>(std::countr_zero(window));
                skip(zeros + 1);
                high += zeros;
                break;
            }
            skip(32);
            high += 32;
            if (failed_) return 0;
        }
        return high << k | get(k);
    }
    std::uint64_t get_golomb(unsigned k) {
        const std::uint64_t word = peek();
        const auto zeros = static_cast<unsigned>(std::countr_zero(word | std::uint64_t{1} << 50));
        if (zeros >= 50) {
            failed_ = true;
            return 0;
        }
        skip(zeros + 1);
        const std::uint64_t v = std::uint64_t{1} << zeros | get(zeros);
        return (v - 1) << k | get(k);
    }
    /// Skips to the next whole byte.
    void align() { skip(static_cast<unsigned>((8 - position_ % 8) % 8)); }
    std::size_t position() const { return position_; }
    bool failed() const { return failed_; }
    void fail() { failed_ = true; }
    /// Returns at least 57 bits from the current position without consuming them; zeros past the
    /// end.
    [[gnu::always_inline]] std::uint64_t peek() const {
        const std::size_t byte = position_ / 8;
        std::uint64_t word = 0;
        if (byte + 8 <= bytes_.size()) {
            std::memcpy(&word, bytes_.data() + byte, 8);
            word = base::little_endian(word);
        } else {
            for (std::size_t i = byte; i < bytes_.size(); ++i) {
                word |= std::uint64_t{static_cast<unsigned char>(bytes_[i])} << (8 * (i - byte));
            }
        }
        return word >> (position_ % 8);
    }
    void skip(unsigned bits) {
        position_ += bits;
        if (position_ > end_) {
            position_ = end_;
            failed_ = true;
        }
    }

  private:
    std::string_view bytes_;
    std::size_t end_;
    std::size_t position_ = 0;
    bool failed_ = false;
};

/// Appends the next bits of a reader.
inline void copy_bits(BitReader from, std::size_t bits, BitWriter& out) {
    constexpr unsigned kMost = 56;
    for (; bits > kMost; bits -= kMost) out.put(from.get(kMost), kMost);
    out.put(from.get(static_cast<unsigned>(bits)), static_cast<unsigned>(bits));
}

/// Maps small signed numbers to small unsigned ones: 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
constexpr std::uint64_t zigzag(std::int64_t v) {
    return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t v) {
    return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1);
}

/// LEB128: seven bits per byte, lowest first.
inline void put_varint(std::uint64_t value, std::string& out) {
    while (value >= 0x80) {
        out += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    out += static_cast<char>(value);
}

/// Takes bytes off the front of a view; after a failure it returns only zeros and empty views.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80) return value;
        }
        fail();
        return 0;
    }
    std::string_view bytes(std::uint64_t n) {
        if (n > rest_.size()) {
            fail();
            return {};
        }
        const std::string_view out = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return out;
    }
    std::string_view rest() const { return rest_; }
    bool done() const { return rest_.empty(); }
    bool failed() const { return failed_; }
    void fail() {
        failed_ = true;
        rest_ = {};
    }

  private:
    std::string_view rest_;
    bool failed_ = false;
};

}  // namespace fendex::codec
