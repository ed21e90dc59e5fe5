// What a second replay of a game tells of its repetitions and of its halfmove clock: draws that a
// player could have claimed by announcing a move (FIDE 9.2.1, 9.3.1), whether it was played or not,
// and perpetual check. Works on facts that import has stored. Throws StoreError if the moves are
// damaged.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "chess/types.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// Of one repeated position.
struct RepetitionStudy {
    /// The plies at which the player to move could have announced a legal move to the position,
    /// which had stood on the board twice before. Whoever makes such a move, it is always the same
    /// player: the other one than that to move in the position.
    std::vector<std::uint32_t> announced_plies;
    std::string announced_move;  // the first of them, in SAN
    // The side gave check with each of its moves from the first occurrence to the last.
    bool white_checks = true;
    bool black_checks = true;
};

/// Studies repetitions of one game, whose plies must be plies of the game. `announced`: looks for
/// announced moves, which takes legal moves at some plies.
[[nodiscard]] std::vector<RepetitionStudy> study_repetitions(
    store::GameId game, const store::StoredMoves& moves,
    std::span<const store::RepeatedPosition* const> repetitions, bool announced);

/// A move that makes the halfmove clock reach 100 could have been announced.
struct AnnouncedFiftieth {
    std::uint32_t ply = 0;  // at which the player could have announced it; the clock is 99
    chess::Color by = chess::Color::kWhite;
    std::string move;           // in SAN; the one that was played, if it is such a move
    std::uint32_t longest = 0;  // the clock at the end of the run
};

/// Returns all of a game. A move after which there is no legal move does not count: the game is
/// over by it.
[[nodiscard]] std::vector<AnnouncedFiftieth> announced_fiftieth_moves(
    store::GameId game, const store::StoredMoves& moves);

}  // namespace fendex::replay
