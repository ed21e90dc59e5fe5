// A repertoire: the positions that the lines of games and their variations reach, with the moves
// that these lines give there. And where a game left it.
//
// Positions are compared as everywhere in fendex: board, side to move, castling rights, legal en
// passant captures. So a line is known by whatever order of moves it is reached. A game may leave
// the lines and return to them by a transposition: what counts is its last position that the
// repertoire has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chess/any_position.hpp"
#include "store/records.hpp"

namespace fendex::query {

/// A position of a repertoire. Other positions are named by their indexes.
struct RepertoirePosition {
    struct Reply {
        chess::Move move;
        std::size_t to = 0;
    };

    chess::AnyPosition position;
    std::vector<Reply> replies;  // those of the lines, in their order, each move once
    bool is_start = false;       // a game of the repertoire begins here
    /// The position and the move from which a line reached it first; empty for one that was a start
    /// before it was reached.
    std::optional<std::size_t> before;
    chess::Move by;
};

class Repertoire {
  public:
    /// Adds a position from which lines begin, unless it is known.
    void add_start(const chess::AnyPosition& position);
    /// Adds a legal move of a line, and the position after it.
    void add_move(const chess::AnyPosition& before, chess::Move move,
                  const chess::AnyPosition& after);

    [[nodiscard]] const std::vector<RepertoirePosition>& positions() const { return positions_; }
    [[nodiscard]] bool has_moves() const;
    /// Returns the index of the position; empty if no line reaches it.
    [[nodiscard]] std::optional<std::size_t> find(const chess::AnyPosition& position) const;
    /// Returns whether there is a position with this key. Faster than find().
    [[nodiscard]] bool has_key(std::uint64_t key) const { return indexes_.contains(key); }

    /// Returns the moves to a position as the first line that reached it has them: "1.e4 c5 2.Nf3".
    [[nodiscard]] std::string line_to(std::size_t position) const;
    /// Returns the moves of the lines at a position, in SAN.
    [[nodiscard]] std::vector<std::string> replies_at(std::size_t position) const;

  private:
    std::size_t add(const chess::AnyPosition& position);

    std::vector<RepertoirePosition> positions_;
    std::unordered_multimap<std::uint64_t, std::size_t> indexes_;  // by key
};

/// A word of a variation that should be a move, but cannot be played.
struct UnreadMove {
    std::uint32_t ply = 0;  // moves before it
    std::string_view word;
    std::string_view reason;
};

/// Adds the moves of a game, and those of its variations. `annotation` is its stream, as in
/// StoreReader::annotation(), empty if it has none. Calls unread() at each place where a variation
/// cannot be read on; the moves after it are left out. Throws StoreError if the stored data is
/// damaged.
void add_lines(const store::StoredMoves& moves, std::string_view annotation, Repertoire& repertoire,
               const std::function<void(const UnreadMove&)>& unread);

/// Where a game left a repertoire.
struct Departure {
    std::size_t last = 0;             // index of the game's last position that the repertoire has
    std::uint32_t ply = 0;            // moves of the game before it
    std::optional<chess::Move> next;  // the game's next move; empty if it ended there
    /// Who left the lines; empty if the game ended within them, or they end there.
    std::optional<chess::Color> left_by;
};

/// Returns nothing if the game never had a position of the repertoire. Throws StoreError if its
/// moves are damaged.
[[nodiscard]] std::optional<Departure> departure_from(const Repertoire& repertoire,
                                                      store::GameId game,
                                                      const store::StoredMoves& moves);

/// Returns the positions, in the order of the lines, at which this side has several moves.
[[nodiscard]] std::vector<std::size_t> contradictions_in(const Repertoire& repertoire,
                                                         chess::Color side);

}  // namespace fendex::query
