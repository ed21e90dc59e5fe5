// Legal moves. Import does not use this (SAN is resolved without generating moves): it serves
// perft, the SAN writer's special cases, mate and stalemate, and the tests.
#pragma once

#include <cstdint>

#include "chess/position.hpp"

namespace fendex::chess {

/// Room for every legal move of any position (the known maximum is 218).
class MoveList {
  public:
    const Move* begin() const { return moves_; }
    const Move* end() const { return moves_ + size_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool contains(Move m) const {
        for (const Move each : *this) {
            if (each == m) return true;
        }
        return false;
    }
    void add(Move m) {
        if (size_ < kCapacity) moves_[size_++] = m;
    }

  private:
    // Setups with up to 64 pieces of a side can be written in a FEN; the bound holds for those too.
    static constexpr std::size_t kCapacity = 2048;
    std::size_t size_ = 0;
    Move moves_[kCapacity];
};

/// All legal moves, in no particular order. The null move is not among them.
void legal_moves(const Position& position, MoveList& out);
inline MoveList legal_moves(const Position& position) {
    MoveList moves;
    legal_moves(position, moves);
    return moves;
}
bool has_legal_move(const Position& position);

/// Number of move sequences of `depth` plies.
std::uint64_t perft(const Position& position, unsigned depth);

}  // namespace fendex::chess
