#include "codec/game_codes.hpp"

#include <algorithm>

namespace fendex::codec {

namespace {

// A chunk: the number of games (2 bytes), the width of each column in bytes (1 byte each), then the
// columns.
constexpr std::size_t kCountBytes = 2;

unsigned width_of(std::uint32_t largest) {
    unsigned width = 1;
    while (width < 4 && largest >> (8 * width) != 0) ++width;
    return width;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::uint32_t code_of_eco(std::string_view eco) {
    if (eco.empty()) return kNoCode;
    if (eco.size() != 3 || eco[0] < 'A' || eco[0] > 'E' || !is_digit(eco[1]) || !is_digit(eco[2])) {
        return kCodeInRow;
    }
    const auto digit = [&](std::size_t i) { return static_cast<std::uint32_t>(eco[i] - '0'); };
    return 2 + static_cast<std::uint32_t>(eco[0] - 'A') * 100 + digit(1) * 10 + digit(2);
}

std::string eco_of_code(std::uint32_t code) {
    const std::uint32_t number = code - 2;
    const auto digit = [](std::uint32_t n) { return static_cast<char>('0' + n % 10); };
    return {static_cast<char>('A' + number / 100), digit(number / 10), digit(number)};
}

template <std::size_t kColumns>
std::string encode_codes(std::span<const CodeRow<kColumns>> rows) {
    CodeRow<kColumns> largest{};
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < kColumns; ++i) largest[i] = std::max(largest[i], row[i]);
    }
    std::string out;
    put_fixed(rows.size(), kCountBytes, out);
    for (const std::uint32_t each : largest) put_fixed(width_of(each), 1, out);
    for (std::size_t i = 0; i < kColumns; ++i) {
        const unsigned width = width_of(largest[i]);
        for (const auto& row : rows) put_fixed(row[i], width, out);
    }
    return out;
}

template <std::size_t kColumns>
CodeChunk<kColumns>::CodeChunk(std::string_view bytes) : bytes_(bytes) {
    if (bytes.size() < kCountBytes + kColumns) return;
    size_ = get_fixed(bytes, 0, kCountBytes);
    std::size_t end = kCountBytes + kColumns;
    bool valid = size_ <= kGamesPerChunk;
    for (std::size_t i = 0; i < kColumns; ++i) {
        const auto width = static_cast<unsigned char>(bytes[kCountBytes + i]);
        columns_[i] = {end, width};
        valid = valid && width >= 1 && width <= 4;
        end += size_ * width;
    }
    if (!valid || end != bytes.size()) size_ = 0;
}

template <std::size_t kColumns>
CodeRow<kColumns> CodeChunk<kColumns>::operator[](std::size_t i) const {
    CodeRow<kColumns> row;
    for (std::size_t column = 0; column < kColumns; ++column) {
        const auto& [begin, width] = columns_[column];
        row[column] = static_cast<std::uint32_t>(get_fixed(bytes_, begin + i * width, width));
    }
    return row;
}

template <std::size_t kColumns>
void CodeChunk<kColumns>::column(std::size_t which, std::size_t first,
                                 std::span<std::uint32_t> out) const {
    const auto& [begin, width] = columns_[which];
    get_column(bytes_.substr(begin + first * width), width, out);
}

template std::string encode_codes(std::span<const PlayerCodes>);
template std::string encode_codes(std::span<const NameCodes>);
template std::string encode_codes(std::span<const OpeningCodes>);
template class CodeChunk<kPlayerColumns>;
template class CodeChunk<kNameColumns>;
template class CodeChunk<kOpeningColumns>;

}  // namespace fendex::codec
