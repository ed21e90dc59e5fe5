// Random games for tests: from the standard start, from Chess960 starts, and from starts with a
// different arrangement for each side. Seeded, so that failures can be reproduced.
#pragma once

#include <algorithm>
#include <random>
#include <string>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"

namespace fendex::test {

using Random = std::mt19937_64;

template <std::size_t kCount>
std::string one_of(Random& random, const char* const (&values)[kCount]) {
    return values[random() % kCount];
}

inline void shuffle(std::string& text, Random& random) {
    for (std::size_t i = text.size(); i-- > 1;) std::swap(text[i], text[random() % (i + 1)]);
}

inline std::string upper_case(std::string text) {
    for (char& c : text) c = static_cast<char>(c - 'a' + 'A');
    return text;
}

/// Returns a back rank of Chess960: bishops on two colours, the king between the rooks.
inline std::string random_back_rank(Random& random) {
    std::string rank = "rnbqkbnr";
    while (true) {
        shuffle(rank, random);
        const std::size_t king = rank.find('k');
        if (rank.find('r') < king && king < rank.rfind('r') &&
            rank.find('b') % 2 != rank.rfind('b') % 2) {
            return rank;
        }
    }
}

/// Returns a start of Chess960; unless `mirrored`, of "double" Chess960, where the sides may
/// differ.
inline chess::Position random_start(Random& random, bool mirrored) {
    const std::string black = random_back_rank(random);
    const std::string white = upper_case(mirrored ? black : random_back_rank(random));
    return *chess::parse_fen(black + "/pppppppp/8/8/8/8/PPPPPPPP/" + white + " w KQkq -").position;
}

/// Returns a start with four rooks a side, of which any two may have castling rights, and few
/// pawns.
inline chess::Position rooks_start(Random& random) {
    std::string rank = "rrrrkbnq";
    std::size_t king = 0;
    do {
        shuffle(rank, random);
        king = rank.find('k');
    } while (rank.find('r') > king || rank.rfind('r') < king);
    std::string rights;
    while (rights.size() < 2) {
        const std::size_t file = random() % 8;
        const bool wanted = rights.empty() ? file < king : file > king;
        if (rank[file] == 'r' && wanted) rights += static_cast<char>('a' + file);
    }
    return *chess::parse_fen(rank + "/p1pp2pp/8/8/8/8/P1PP2PP/" + upper_case(rank) + " w " +
                             upper_case(rights) + rights + " -")
                .position;
}

/// Returns standard starts and the others in turn.
inline chess::Position any_start(Random& random, unsigned turn) {
    switch (turn % 4) {
        case 0: return chess::Position();
        case 1: return random_start(random, true);
        case 2: return random_start(random, false);
        default: return rooks_start(random);
    }
}

/// Returns a random one of the legal moves; prefers castling and en passant, which are rare.
inline chess::Move random_move(const chess::MoveList& moves, Random& random) {
    for (const chess::Move move : moves) {
        const bool rare =
            move.kind() == chess::MoveKind::kCastle || move.kind() == chess::MoveKind::kEnPassant;
        if (rare && random() % 2 == 0) return move;
    }
    return moves.begin()[random() % moves.size()];
}

/// Plays at most `plies` moves, and calls visit() with each position and the move played from it.
template <typename Visit>
void random_game(chess::Position position, Random& random, unsigned plies, Visit visit) {
    for (unsigned ply = 0; ply < plies; ++ply) {
        chess::MoveList moves;
        chess::legal_moves(position, moves);
        if (moves.empty()) return;
        const chess::Move move = random_move(moves, random);
        visit(position, move);
        position.play(move);
    }
}

}  // namespace fendex::test
