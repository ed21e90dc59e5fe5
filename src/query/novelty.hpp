// Finds where a game left known positions: its last position that earlier games of a database had
// reached, those games, and the move that was new there.
//
// Games that count. A game of the database counts if it is known to be earlier: the latest day that
// its date allows is before the first day that the given game's date allows. So 1999.??.?? is
// before 2000.01.01, but not before 1999.05.01. Games of the same day and games without a year do
// not count. If the given game itself has no year, all games count. Identical games never count,
// because they are the given game itself. Games are identical if they have the same players
// (compared as in store/game_identity.hpp), variant, start and moves. Their dates and results may
// differ, because databases disagree on those.
//
// Exactness. Every position of the game is looked up, from its end on, because a game may leave
// known positions and return to them by a transposition. The games of a position with few postings
// are replayed and compared. Those of a position with more postings are counted by equal 64-bit
// keys, as all games of a cluster are. The named game is always replayed and compared.
//
// Variations. If they are asked for, positions of indexed variations of games that count are known,
// too. A game counts once for a move that it or one of its variations played, as in
// variation_sums.hpp. Variations of the given game are not looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "chess/any_position.hpp"
#include "codec/big_position.hpp"
#include "query/evaluations.hpp"
#include "query/position_search.hpp"
#include "store/capability.hpp"
#include "store/engine.hpp"

namespace fendex::query {

struct NoveltyMove {
    std::string san;
    std::string uci;                      // castling is written as in the game's variant
    codec::Tally tally;                   // the games that played it; empty for the new move
    std::optional<Verdict> verdict = {};  // on the position after it; set by add_verdicts()
};

/// A position of the game that earlier games had reached.
struct KnownPosition {
    std::uint32_t ply = 0;  // number of moves played before it
    chess::AnyPosition position;
    codec::Tally total;                   // counts each game once
    std::vector<NoveltyMove> played;      // their moves from there, most played first
    std::uint64_t ended = 0;              // games that ended there
    store::GameId last = 0;               // the latest game; among equal dates, the lowest number
    std::size_t database = 0;             // index of the database of `last`, if there are several
    std::optional<Verdict> verdict = {};  // set by add_verdicts()
};

struct Novelty {
    /// The last known position. Empty if not even the start is known, or if the game has no
    /// positions because its rules are unknown.
    std::optional<KnownPosition> known;
    /// The game's next move. Empty if the whole game is known, or nothing of it.
    std::optional<NoveltyMove> move;
};

/// Joins the results of several databases for one game. Returns the last position that any of them
/// knows, with the games of all databases that know it at that ply.
[[nodiscard]] Novelty joined_novelty(std::span<const Novelty> answers);

/// Looks up what engines said of the last known position, and of those after the moves from there.
void add_verdicts(Evaluations& evaluations, Novelty& novelty);

/// Belongs to the thread of its reader.
class NoveltyFinder {
  public:
    /// Only games that fit the matcher count, with their variations if `variations` is true. Reader
    /// and matcher must outlive the finder.
    NoveltyFinder(store::StoreReader& reader, GameMatcher& matcher, bool variations = false)
        : reader_(reader), matcher_(matcher), search_(reader, matcher), variations_(variations) {
        if (variations) static_cast<void>(require(reader, store::Capability::kVariationScan));
    }

    /// Returns the last known position and the new move. `date` is the game's date as in
    /// codec::GameFacts. The game need not be in the database. Throws StoreError if its moves or
    /// the database are damaged, and base::Stopped soon after a stop was requested.
    [[nodiscard]] Novelty find(const store::StoredGame& game, codec::Date date,
                               const std::stop_token& stop = {});

  private:
    using Earlier = store::Engine::Earlier;
    using Tree = store::Engine::Tree;

    std::vector<store::GameId> identical_games(const store::StoredGame& game,
                                               std::uint64_t last_key, const Earlier& earlier,
                                               const std::stop_token& stop);
    bool counts(store::GameId game, const Earlier& earlier) const;
    std::optional<std::size_t> last_known(std::span<const std::uint64_t> keys,
                                          const Earlier& earlier, const std::stop_token& stop);
    bool has_variations(std::uint64_t key, const Earlier& earlier, const std::stop_token& stop);
    Tree tree_of(const Question& question, Earlier earlier, const std::stop_token& stop);
    void add_variations_of(const Question& question, const Earlier& earlier, Tree& tree,
                           const std::stop_token& stop);

    store::StoreReader& reader_;
    GameMatcher& matcher_;
    PositionSearch search_;
    const bool variations_;
};

}  // namespace fendex::query
