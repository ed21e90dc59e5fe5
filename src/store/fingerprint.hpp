// Computes one number from every (game, ply, key) of a database. It is a sum, so it does not depend
// on the order of the work: it is the same for any number of threads, and no matter how the input
// was compressed, cut or appended.
#pragma once

#include <cstdint>

#include "chess/zobrist.hpp"

namespace fendex::store {

/// The terms of the sum for one game's plies.
class GameFingerprint {
  public:
    explicit GameFingerprint(std::uint64_t game) : seed_(chess::zobrist::mix(game)) {}
    std::uint64_t term(std::uint32_t ply, std::uint64_t key) const {
        return chess::zobrist::mix(key ^ (seed_ + ply * 0xD1B54A32D192ED03ULL));
    }

  private:
    std::uint64_t seed_;
};

}  // namespace fendex::store
