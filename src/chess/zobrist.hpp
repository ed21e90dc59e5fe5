// The terms of a position's Zobrist key. The terms of standard chess are Polyglot's published
// constants, so that a key can be looked up in any opening book; all other terms are our own. Keys
// are stored. Do not change: on disk.
#pragma once

#include <cstdint>

#include "chess/types.hpp"

namespace fendex::chess::zobrist {

extern const std::uint64_t kPolyglot[781];

inline std::uint64_t piece(Piece p, Square s) { return kPolyglot[64 * index(p) + s]; }
/// A right on the outermost rook of a side.
inline std::uint64_t castling(Color c, bool short_side) {
    return kPolyglot[768 + (c == Color::kWhite ? 0U : 2U) + (short_side ? 0U : 1U)];
}
inline std::uint64_t en_passant(unsigned file) { return kPolyglot[772 + file]; }
inline std::uint64_t white_to_move() { return kPolyglot[780]; }

/// Returns the output of SplitMix64 (Steele, Lea, Flood 2014) for state `x`: well mixed, and
/// different for each input.
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

/// A right on a rook that is not the outermost (Chess960 only): each square has a term of its own.
constexpr std::uint64_t inner_castling(Square rook) { return mix(0x66656E6465780000ULL + rook); }

// Terms of variants (FORMAT.md, "Identity and keys"), so that two variants never share a key.
constexpr std::uint64_t variant(Variant v) {
    return mix(0x66656E6465790000ULL + static_cast<unsigned>(v));
}
/// `count` pieces of a kind in hand.
constexpr std::uint64_t pocket(Piece p, unsigned count) {
    return count == 0 ? 0 : mix(0x66656E64657A0000ULL + 256ULL * index(p) + count);
}
/// A piece that was a pawn.
constexpr std::uint64_t promoted(Square s) { return mix(0x66656E64657B0000ULL + s); }
constexpr std::uint64_t checks_given(Color c, unsigned count) {
    return count == 0 ? 0 : mix(0x66656E64657C0000ULL + 256ULL * index(c) + count);
}

}  // namespace fendex::chess::zobrist
