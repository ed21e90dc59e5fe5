// Reads the usual spelling of a move, which nearly all moves have: Nf3, exd5, Rae1+, R1xe2. It
// loads eight bytes at once, the move and the blank after it, so the end of the word need not be
// found first. Pure function.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "chess/san.hpp"

namespace fendex::chess {

namespace detail {

inline constexpr auto kPlainPieces = [] {
    std::array<PieceType, 256> table{};
    table.fill(PieceType::kNone);
    for (const char file : std::string_view("abcdefgh")) {
        table[static_cast<unsigned char>(file)] = PieceType::kPawn;
    }
    table['N'] = PieceType::kKnight;
    table['B'] = PieceType::kBishop;
    table['R'] = PieceType::kRook;
    table['Q'] = PieceType::kQueen;
    table['K'] = PieceType::kKing;
    return table;
}();

}  // namespace detail

/// Reads a move at the start of `text` and returns its length without the blank after it. Returns 0
/// for any other word, and for castling, promotions and a move at the end of the text: parse_san()
/// must read those. If it returns a length, parse_san() would read the same move.
[[nodiscard]] inline std::size_t parse_plain_san(std::string_view text, SanMove& out) {
    constexpr std::uint64_t kEachByte = 0x0101010101010101;
    std::uint64_t word;
    if (text.size() < sizeof word) return 0;
    std::memcpy(&word, text.data(), sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    // The high bit marks each byte that is at most ' '. After the first marked byte, marks may be
    // wrong.
    const std::uint64_t blanks = (word - kEachByte * (' ' + 1)) & ~word & (kEachByte << 7);
    if (blanks == 0) return 0;
    const auto size = static_cast<unsigned>(std::countr_zero(blanks)) / 8;
    const auto at = [word](unsigned i) { return static_cast<unsigned char>(word >> (8 * i)); };
    const unsigned blank = at(size);
    if (blank != ' ' && blank != '\n' && blank != '\r') return 0;

    const PieceType piece = detail::kPlainPieces[at(0)];
    const unsigned begin = piece == PieceType::kPawn ? 0 : 1;
    if (piece == PieceType::kNone || size < begin + 2) return 0;
    const unsigned mark = at(size - 1);
    const unsigned end = size - (mark == '+' || mark == '#' ? 1 : 0);
    if (end < begin + 2) return 0;
    const unsigned to_file = at(end - 2) - unsigned{'a'};
    const unsigned to_rank = at(end - 1) - unsigned{'1'};
    if (to_file > 7 || to_rank > 7) return 0;
    out = SanMove{};
    out.piece = piece;
    out.names_piece = begin != 0;
    out.to_file = static_cast<std::uint8_t>(to_file);
    out.to_rank = static_cast<std::uint8_t>(to_rank);
    if (end == begin + 2) return size;

    out.capture = at(end - 3) == 'x';
    const unsigned origin = end - 2 - begin - (out.capture ? 1 : 0);
    if (origin == 0) return size;
    const unsigned file = at(begin) - unsigned{'a'};
    const unsigned rank = at(begin) - unsigned{'1'};
    if (origin != 1 || (file > 7 && rank > 7)) return 0;
    (file <= 7 ? out.from_file : out.from_rank) =
        static_cast<std::uint8_t>(file <= 7 ? file : rank);
    return size;
}

}  // namespace fendex::chess
