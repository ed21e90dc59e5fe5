// Prepares for a game against a player. Lists what the player plays with one colour (recent games
// weigh more), and the positions in which the player's results are worst, with the moves that
// were played there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "chess/position.hpp"
#include "codec/big_position.hpp"
#include "query/evaluations.hpp"
#include "query/game_filter.hpp"
#include "query/player_report.hpp"
#include "replay/opening_names.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// Results of the player, plain and with weights. A game that was played three years before the
/// latest one counts half, one played six years before it a quarter. A game without a year counts
/// like one played fifteen years before the latest one.
struct WeightedScore {
    PlayerScore score;
    double weight = 0;          // of all games
    double decided_weight = 0;  // of the games with a result
    double points = 0;          // weighted: 1 for a win, 0.5 for a draw
    codec::Date last_date;

    /// Returns the weighted score in percent; 0 if no game has a result.
    [[nodiscard]] double percent() const {
        return decided_weight == 0 ? 0 : 100 * points / decided_weight;
    }
};

/// A move that the player or an opponent played in these games.
struct PreparedMove {
    chess::Position before;
    std::string san;
    unsigned depth = 0;  // plies from the start of the repertoire
    bool by_player = false;
    double share = 0;  // share of the weight of all games that reached the position
    WeightedScore score;
    std::optional<replay::Opening> opening;  // of the position after the move
    std::optional<Verdict> verdict = {};     // on that position
};

/// A move that any player played in a position.
struct OtherMove {
    std::string san;
    codec::Tally tally;                   // in all games
    PlayerScore against;                  // in the player's games, from the player's point of view
    std::optional<Verdict> verdict = {};  // on the position after it
};

/// A position of these games, with the opponent to move, in which the player scores badly.
struct WeakSpot {
    chess::Position position;
    std::string line;                        // a way to it: "1.e4 c5 2.Nf3"
    std::optional<replay::Opening> opening;  // the last named position on that way
    WeightedScore score;
    std::optional<Verdict> verdict = {};
    std::vector<OtherMove> moves;  // most played first
};

struct Preparation {
    WeightedScore total;
    codec::Date first_date;
    std::vector<PreparedMove> repertoire;  // each move is followed by the replies to it
    std::vector<WeakSpot> weak_spots;      // the worst first
    std::vector<store::GameId> recent;     // the latest games
    std::vector<store::GameId> lost;       // the latest that the player lost
    bool has_verdicts = false;             // there is one on some of these positions
};

/// Prepares for a game against a player who may have several names and who has this colour. Only
/// games with the rules of standard chess that fit the matcher count; of more than 20,000 only the
/// latest ones. At a weak spot, moves are also counted in games of other players. Throws
/// base::Stopped after a stop was requested.
[[nodiscard]] Preparation prepare(store::StoreReader& reader, GameMatcher& matcher,
                                  const std::vector<std::string>& names, chess::Color color,
                                  std::stop_token stop = {});

}  // namespace fendex::query
