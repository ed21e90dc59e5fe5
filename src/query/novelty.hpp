// Where a game left what was known: its last position that earlier games of a database had reached,
// those games, and the move that was new there.
//
// Games that count. A game of the database counts if it is known to be earlier: the latest day that
// its date allows is before the first day that the asked game's date allows. So 1999.??.?? is
// before 2000.01.01, but not before 1999.05.01; games of the same day do not count; and a game
// without a year never does. If the asked game itself has no year, all games count. Identical games
// are the asked game itself and never count: the players are the same (store/game_identity.hpp
// compares them), and so are variant, start and moves. Their dates and results may differ, because
// databases disagree on those.
//
// Exactness. Every position of the game is looked up, from its end on, because a game may leave
// known positions and return to them by a transposition. A position with a few postings is known
// only after a game that reached it was replayed and compared; one with more postings rests on
// equal 64-bit keys. The game that is named was replayed and compared in any case.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "chess/any_position.hpp"
#include "codec/big_position.hpp"
#include "query/position_search.hpp"

namespace fendex::query {

/// Returns whether a game with the one date (yyyymmdd, unknown parts 0) was certainly played before
/// a game with the other. A date without month has no day either. False if a year is unknown.
bool is_certainly_before(std::uint32_t date, std::uint32_t other);

struct NoveltyMove {
    std::string san;
    std::string uci;     // castling as the game's variant writes it
    codec::Tally tally;  // the games that played it; empty for the move that is new
};

/// A position of the game that earlier games had reached.
struct KnownPosition {
    std::uint32_t ply = 0;  // moves of the game before it
    chess::AnyPosition position;
    codec::Tally total;               // distinct games
    std::vector<NoveltyMove> played;  // what they played from there, most played first
    std::uint64_t ended = 0;          // games that ended there
    store::GameId last = 0;           // the latest; of several the one with the lowest number
    std::size_t database = 0;         // of `last`, if several databases were asked
};

struct Novelty {
    /// The last known position. Empty if not even the start is known, or if the game has no
    /// positions because its rules are unknown.
    std::optional<KnownPosition> known;
    /// The game's next move. Empty if there is none: the whole game is known, or nothing of it.
    std::optional<NoveltyMove> move;
};

/// Joins what several databases answered for one game: the last position that any of them knows,
/// with the games of all. There is at least one answer.
[[nodiscard]] Novelty joined_novelty(std::span<const Novelty> answers);

/// Belongs to the thread of its reader.
class NoveltyFinder {
  public:
    /// Only games that fit the matcher count. Reader and matcher must outlive the finder.
    NoveltyFinder(store::StoreReader& reader, GameMatcher& matcher)
        : reader_(reader), search_(reader, matcher) {}

    /// `date` is that of the game, as codec::GameFacts have it. The game may be in the database or
    /// not. Throws StoreError if its moves or the database are damaged, and base::Stopped soon
    /// after a stop was requested.
    [[nodiscard]] Novelty find(const store::StoredGame& game, std::uint32_t date,
                               std::stop_token stop = {});

  private:
    bool counts(store::GameId game) const;
    bool has_early_sums(const store::PositionOverview& overview) const;
    bool may_be_known(const store::PositionOverview& overview) const;
    std::vector<Occurrence> earlier_games(const Question& question,
                                          const store::PositionOverview& overview,
                                          base::StopCheck& stop);
    std::vector<store::GameId> identical_games(const store::StoredGame& game,
                                               std::uint64_t last_key, base::StopCheck& stop);
    std::optional<store::GameId> last_game(const Question& question,
                                           std::vector<Occurrence>& occurrences);
    KnownPosition known_position(const chess::AnyPosition& position, chess::Variant variant,
                                 std::vector<Occurrence>& occurrences) const;

    store::StoreReader& reader_;
    PositionSearch search_;
    std::uint32_t date_ = 0;                 // of the asked game
    std::vector<store::GameId> identical_;   // ascending
    std::vector<store::Candidate> counted_;  // of the candidates of a position
};

}  // namespace fendex::query
