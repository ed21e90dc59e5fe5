#include "codec/columns.hpp"

#include <bit>
#include <cstring>

namespace fendex::codec {

namespace {

/// The width is a template parameter, so that the loop needs few instructions for each number.
template <unsigned kWidth>
void decode_column(const char* from, std::span<std::uint32_t> out) {
    for (std::uint32_t& value : out) {
        std::uint32_t number = 0;
        for (unsigned i = 0; i < kWidth; ++i) {
            number |= std::uint32_t{static_cast<unsigned char>(from[i])} << (8 * i);
        }
        value = number;
        from += kWidth;
    }
}

/// Like decode_column(), for widths of an integer type (1, 2 or 4 bytes). Compilers vectorise this
/// loop.
template <typename Number>
void widen_column(const char* from, std::span<std::uint32_t> out) {
    if constexpr (std::endian::native != std::endian::little) {
        decode_column<sizeof(Number)>(from, out);
    } else {
        for (std::size_t i = 0; i < out.size(); ++i) {
            Number number;
            std::memcpy(&number, from + i * sizeof number, sizeof number);
            out[i] = number;
        }
    }
}

}  // namespace

void get_column(std::string_view column, unsigned width, std::span<std::uint32_t> out) {
    switch (width) {
        case 1: return widen_column<std::uint8_t>(column.data(), out);
        case 2: return widen_column<std::uint16_t>(column.data(), out);
        case 3: return decode_column<3>(column.data(), out);
        default: return widen_column<std::uint32_t>(column.data(), out);
    }
}

}  // namespace fendex::codec
