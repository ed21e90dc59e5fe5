#include "codec/columns.hpp"

namespace fendex::codec {

namespace {

/// With a width that is known when this is compiled, the loop needs few instructions a number.
template <unsigned kWidth>
void decode_column(std::string_view column, std::span<std::uint32_t> out) {
    const char* from = column.data();
    for (std::uint32_t& value : out) {
        std::uint32_t number = 0;
        for (unsigned i = 0; i < kWidth; ++i) {
            number |= std::uint32_t{static_cast<unsigned char>(from[i])} << (8 * i);
        }
        value = number;
        from += kWidth;
    }
}

}  // namespace

void get_column(std::string_view column, unsigned width, std::span<std::uint32_t> out) {
    switch (width) {
        case 1: return decode_column<1>(column, out);
        case 2: return decode_column<2>(column, out);
        case 3: return decode_column<3>(column, out);
        default: return decode_column<4>(column, out);
    }
}

}  // namespace fendex::codec
