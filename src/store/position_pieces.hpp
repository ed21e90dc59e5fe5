// The games that reached a position, as lists for each move that was played next, in pieces that
// several threads may read at once.
#pragma once

#include <cstdint>
#include <vector>

#include "chess/types.hpp"
#include "store/candidate.hpp"
#include "store/game_range.hpp"

namespace fendex::store {

class PositionPieces {
  public:
    struct Piece {
        chess::Move next;  // codec::kGameEndsHere: none
        /// Goes on where the piece before ended: the last game there may be the first one here.
        bool goes_on = false;
        GameRange range;  // of the part of the index that has the piece, and maybe others
    };

    virtual ~PositionPieces() = default;

    /// Returns the pieces, ordered by parts of the index, those of a part by moves, those of a move
    /// by games.
    const std::vector<Piece>& pieces() const { return pieces_; }
    /// The candidates that are in no piece, in the order of games and plies. Their games are in no
    /// piece.
    const std::vector<Candidate>& others() const { return others_; }
    /// Returns how many games are in the pieces; more if some were deleted.
    std::uint64_t games() const { return games_; }
    /// Whether no game is in the pieces twice.
    bool once() const { return once_; }
    /// Replaces `games` by the games of a piece, ascending: each as often as it had the position
    /// and played the move. LocalReader::threads() threads may call it at once.
    virtual void read(std::size_t /*piece*/, std::vector<std::uint32_t>& /*games*/) {}

  protected:
    std::vector<Piece> pieces_;
    std::vector<Candidate> others_;
    std::uint64_t games_ = 0;
    bool once_ = true;
};

}  // namespace fendex::store
