// Attack sets. Sliding attacks are computed from the lines through a square (o ^ (o - 2r), the
// "hyperbola quintessence" of the chess programming literature) instead of looked up in large magic
// tables: no initialisation, a few KiB of constants, the same speed on any 64-bit machine.
#pragma once

#include <array>

#include "chess/types.hpp"

namespace fendex::chess {

namespace detail {

struct AttackTables {
    Bitboard knight[64]{};
    Bitboard king[64]{};
    Bitboard pawn[2][64]{};  // [colour of the pawn][square]: the squares it captures on
    Bitboard bishop[64]{};   // on an empty board
    Bitboard rook[64]{};
    Bitboard diagonal[64]{};
    Bitboard anti_diagonal[64]{};
    Bitboard empty_board[6][64]{};  // [type of piece][square]; empty for pawns
    Bitboard between[64][64]{};     // squares strictly between two squares on one line; else empty
};

constexpr Bitboard step(Square s, int df, int dr) {
    const int f = static_cast<int>(file_of(s)) + df;
    const int r = static_cast<int>(rank_of(s)) + dr;
    return f < 0 || f > 7 || r < 0 || r > 7
               ? 0
               : bit(make_square(static_cast<unsigned>(f), static_cast<unsigned>(r)));
}

constexpr AttackTables make_attack_tables() {
    AttackTables t;
    constexpr int kKnight[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                   {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    constexpr int kDirections[8][2] = {{1, 0}, {0, 1},   {-1, 0}, {0, -1},
                                       {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
    for (Square s = 0; s < 64; ++s) {
        for (const auto& d : kKnight) t.knight[s] |= step(s, d[0], d[1]);
        t.pawn[index(Color::kWhite)][s] = step(s, -1, 1) | step(s, 1, 1);
        t.pawn[index(Color::kBlack)][s] = step(s, -1, -1) | step(s, 1, -1);
        for (unsigned d = 0; d < 8; ++d) {
            const int df = kDirections[d][0];
            const int dr = kDirections[d][1];
            t.king[s] |= step(s, df, dr);
            Bitboard line = 0;
            for (Bitboard next = step(s, df, dr); next != 0;) {
                const Square target = lowest(next);
                t.between[s][target] = line;
                line |= next;
                next = step(target, df, dr);
            }
            (d < 4 ? t.rook : t.bishop)[s] |= line;
            if (d == 4 || d == 5) t.diagonal[s] |= line;
            if (d == 6 || d == 7) t.anti_diagonal[s] |= line;
        }
        t.empty_board[index(PieceType::kKnight)][s] = t.knight[s];
        t.empty_board[index(PieceType::kBishop)][s] = t.bishop[s];
        t.empty_board[index(PieceType::kRook)][s] = t.rook[s];
        t.empty_board[index(PieceType::kQueen)][s] = t.bishop[s] | t.rook[s];
        t.empty_board[index(PieceType::kKing)][s] = t.king[s];
    }
    return t;
}

inline constexpr AttackTables kAttacks = make_attack_tables();

/// Attacks along a rank: [file][the six inner squares' occupancy], as bits of the rank.
constexpr std::array<std::array<std::uint8_t, 64>, 8> make_rank_attacks() {
    std::array<std::array<std::uint8_t, 64>, 8> table{};
    for (unsigned file = 0; file < 8; ++file) {
        for (unsigned inner = 0; inner < 64; ++inner) {
            const unsigned occupied = inner << 1;
            unsigned attacks = 0;
            for (unsigned f = file + 1; f < 8; ++f) {
                attacks |= 1U << f;
                if ((occupied >> f & 1U) != 0) break;
            }
            for (unsigned f = file; f-- > 0;) {
                attacks |= 1U << f;
                if ((occupied >> f & 1U) != 0) break;
            }
            table[file][inner] = static_cast<std::uint8_t>(attacks);
        }
    }
    return table;
}

inline constexpr auto kRankAttacks = make_rank_attacks();

/// Attacks along a line that has at most one square per rank, so that reversing the bytes reverses
/// it.
inline Bitboard line_attacks(Square s, Bitboard occupied, Bitboard line) {
    const Bitboard blockers = occupied & line;
    const Bitboard forward = blockers - 2 * bit(s);
    const Bitboard backward =
        __builtin_bswap64(__builtin_bswap64(blockers) - 2 * __builtin_bswap64(bit(s)));
    return (forward ^ backward) & line;
}

}  // namespace detail

inline Bitboard knight_attacks(Square s) { return detail::kAttacks.knight[s]; }
inline Bitboard king_attacks(Square s) { return detail::kAttacks.king[s]; }
/// The squares that a pawn of colour `c` on `s` captures on.
inline Bitboard pawn_attacks(Color c, Square s) { return detail::kAttacks.pawn[index(c)][s]; }
/// Sliding attacks on an empty board.
inline Bitboard bishop_rays(Square s) { return detail::kAttacks.bishop[s]; }
inline Bitboard rook_rays(Square s) { return detail::kAttacks.rook[s]; }
/// Attacks of a piece of type `t` (not a pawn) on an empty board.
inline Bitboard empty_board_attacks(PieceType t, Square s) {
    return detail::kAttacks.empty_board[index(t)][s];
}
/// The squares strictly between two squares on one rank, file or diagonal; empty for others.
inline Bitboard between(Square a, Square b) { return detail::kAttacks.between[a][b]; }

inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
    return detail::line_attacks(s, occupied, detail::kAttacks.diagonal[s]) |
           detail::line_attacks(s, occupied, detail::kAttacks.anti_diagonal[s]);
}

inline Bitboard rook_attacks(Square s, Bitboard occupied) {
    const unsigned shift = s & 56U;
    const Bitboard along_rank =
        Bitboard{detail::kRankAttacks[file_of(s)][occupied >> (shift + 1) & 63U]} << shift;
    return along_rank | detail::line_attacks(s, occupied, file_mask(file_of(s)) & ~bit(s));
}

/// Returns the squares that a piece of type `t` (not a pawn) on `s` attacks, own pieces included.
inline Bitboard attacks(PieceType t, Square s, Bitboard occupied) {
    switch (t) {
        case PieceType::kKnight: return knight_attacks(s);
        case PieceType::kBishop: return bishop_attacks(s, occupied);
        case PieceType::kRook: return rook_attacks(s, occupied);
        case PieceType::kQueen: return bishop_attacks(s, occupied) | rook_attacks(s, occupied);
        case PieceType::kKing: return king_attacks(s);
        case PieceType::kPawn:
        case PieceType::kNone: break;
    }
    return 0;
}

}  // namespace fendex::chess
