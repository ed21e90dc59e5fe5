// Replays a game a second time to find draws that a player could have claimed by announcing a move
// (FIDE 9.2.1, 9.3.1), whether the move was played or not, and to find perpetual check. Uses facts
// that the import has stored. Throws StoreError if the moves are damaged.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "chess/types.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// The results for one repeated position.
struct RepetitionStudy {
    /// The plies at which the player to move could have announced a legal move to the position,
    /// which had stood on the board at least twice before. It is always the same player: the one
    /// who is not to move in the position.
    std::vector<std::uint32_t> announced_plies;
    std::string announced_move;  // the first such move, in SAN
    // The side gave check with each of its moves from the first occurrence to the last.
    bool white_checks = true;
    bool black_checks = true;
};

/// Studies repetitions of one game, whose plies must be plies of the game. `announced` also looks
/// for announced moves, for which legal moves are generated at some plies.
[[nodiscard]] std::vector<RepetitionStudy> study_repetitions(
    store::GameId game, const store::StoredMoves& moves,
    std::span<const store::RepeatedPosition* const> repetitions, bool announced);

/// A ply at which a move that makes the halfmove clock reach 100 could have been announced.
struct AnnouncedFiftieth {
    std::uint32_t ply = 0;  // the clock is 99 there
    chess::Color by = chess::Color::kWhite;
    std::string move;           // in SAN; the played one if it is such a move
    std::uint32_t longest = 0;  // the clock at the end of the run
};

/// Returns all such plies of a game. A move that leaves no legal move does not count, because it
/// ends the game.
[[nodiscard]] std::vector<AnnouncedFiftieth> announced_fiftieth_moves(
    store::GameId game, const store::StoredMoves& moves);

}  // namespace fendex::replay
