// The questions about a database that its store answers: sums, filters and lists of games. A file
// answers them from its index, a cluster on its servers. Each StoreReader has an engine, which sees
// the reader's snapshot and belongs to its thread. Games are ids, which may have more than 32 bits.
// Each call may be a round trip, so it takes many games or keys at once. `most` may be SIZE_MAX,
// which means no limit. Every function throws base::Stopped soon after a stop was requested, and
// StoreError.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "chess/types.hpp"
#include "codec/big_position.hpp"
#include "codec/game_facts.hpp"
#include "codec/game_signature.hpp"
#include "codec/named_games.hpp"
#include "store/game_filter.hpp"
#include "store/game_range.hpp"
#include "store/players.hpp"
#include "store/records.hpp"

namespace fendex::store {

enum class GameOrder {
    kId,
    kDate,   // the latest first
    kElo,    // by the sum of both ratings, the highest first
    kPlies,  // the longest first
};

/// Returns the rank of a game in an order: its date (yyyymmdd), the sum of its ratings (an unknown
/// one counts as 0), or its plies; 0 in the order of ids.
std::uint32_t rank_of(GameOrder order, const codec::GameFacts& facts);

/// A game and its rank in an order. Higher ranks come first; among equal ranks, lower ids come
/// first.
struct RankedGame {
    std::uint32_t rank = 0;
    GameId game = 0;

    bool operator<(const RankedGame& other) const {
        return rank != other.rank ? rank > other.rank : game < other.game;
    }
    bool operator==(const RankedGame&) const = default;
};

/// Which lists of best rated and latest games a tree has. Finding these games may take longer than
/// the sums.
enum class GameLists {
    kNone,
    kOfTree,
    kOfTreeAndSingles,  // also the game of each move that only one game played
    kOfTreeAndMoves,
};

class Engine {
  public:
    virtual ~Engine() = default;

    /// Looks up what a filter names, so that errors come before the first answer. Throws
    /// FilterError if there is no such source. Other functions take any filter without this.
    virtual void prepare(const GameFilter& filter, std::stop_token stop) = 0;

    /// A position to look for. A question has up to some hundred targets, each key once. A game
    /// that reached any of them counts.
    struct Target {
        std::uint64_t key = 0;
        bool mirrored = false;  // colours are exchanged
    };
    using Targets = std::span<const Target>;

    // --- Games

    [[nodiscard]] virtual std::uint64_t count_games(const GameFilter& filter,
                                                    std::stop_token stop) = 0;
    /// Counts the games of each variant. Returns chess::kVariants numbers, indexed by
    /// chess::Variant.
    [[nodiscard]] virtual std::vector<std::uint64_t> count_by_variant(std::stop_token stop) = 0;
    /// Returns the first `most` games that fit and come after `after` in `order`.
    [[nodiscard]] virtual std::vector<RankedGame> games(const GameFilter& filter, GameOrder order,
                                                        std::optional<RankedGame> after,
                                                        std::size_t most, std::stop_token stop) = 0;
    /// Returns the games among `games` that exist and fit, with their ranks in `order`. Both lists
    /// are in the order of ids.
    [[nodiscard]] virtual std::vector<RankedGame> ranks(const GameFilter& filter, GameOrder order,
                                                        std::span<const GameId> games,
                                                        std::stop_token stop) = 0;
    /// Returns the first `most` games, in the order of ids, whose tag Site contains this text, byte
    /// for byte.
    [[nodiscard]] virtual std::vector<GameId> games_at_site(std::string_view part, std::size_t most,
                                                            std::stop_token stop) = 0;

    /// Returns the first `most` games of a range, in the order of ids, that fit and whose
    /// signatures allow at least one of the conditions. The list may include other games that fit.
    [[nodiscard]] virtual std::vector<GameId> possible_games(
        const GameFilter& filter, std::span<const codec::SignatureCondition> any_of,
        const GameRange& games, std::size_t most, std::stop_token stop) = 0;

    /// Returns the first `most` games after `after`, in the order of ids, that fit and in which the
    /// halfmove clock may reach `clock`, because they have at least that many plies or do not start
    /// from the standard position. The list may include other games that fit.
    [[nodiscard]] virtual std::vector<GameId> games_for_clock(const GameFilter& filter,
                                                              std::uint32_t clock, GameId after,
                                                              std::size_t most,
                                                              std::stop_token stop) = 0;

    // --- Players and openings

    /// Returns the players of the games that fit.
    [[nodiscard]] virtual std::unique_ptr<Players> players(const GameFilter& filter,
                                                           std::stop_token stop) = 0;

    struct OpeningTally {
        std::string opening;  // as replay::opening_of_text() reads it; empty: none
        codec::Tally tally;   // with one occurrence per game
    };
    /// Returns the openings of the games that fit, each once, in any order.
    [[nodiscard]] virtual std::vector<OpeningTally> openings(const GameFilter& filter,
                                                             std::stop_token stop) = 0;

    /// Opponents are grouped by ranges of so many points of their ratings.
    static constexpr std::uint32_t kRatingStep = 100;
    /// Sums over the games in which some players have one of the colours.
    struct SideSums {
        struct Score {
            std::uint32_t year = 0;       // 0: unknown
            std::uint32_t opponents = 0;  // the lowest rating of the range; 0: unknown, too
            codec::ResultCounts results;
        };
        struct Opening {
            std::string opening;  // as in OpeningTally
            codec::ResultCounts results;
        };
        /// Games of a known month in which the players' rating is known.
        struct Month {
            std::uint32_t month = 0;  // yyyymm
            std::uint64_t games = 0;
            // The last of these games: the latest; among equal dates, the highest id.
            codec::Date date;
            GameId game = 0;
            std::uint32_t rating = 0;
        };
        // In any order, each year and range, opening and month once.
        std::vector<Score> scores;
        std::vector<Opening> openings;
        std::vector<Month> months;
    };
    /// Returns the sums for White and for Black, indexed by chess::Color. The players are those
    /// with exactly these names, or with names that are joined with them.
    [[nodiscard]] virtual std::array<SideSums, 2> side_sums(std::span<const std::string> names,
                                                            const GameFilter& filter,
                                                            std::stop_token stop) = 0;

    struct FactsOfGame {
        GameId game = 0;
        codec::GameFacts facts;
    };
    /// Returns the latest `most` games that fit, have the rules of standard chess, and in which one
    /// of these players (see side_sums()) has the colour, in the order of ids. Among equal dates,
    /// those with the lowest ids come first.
    [[nodiscard]] virtual std::vector<FactsOfGame> latest_games(std::span<const std::string> names,
                                                                chess::Color color,
                                                                const GameFilter& filter,
                                                                std::size_t most,
                                                                std::stop_token stop) = 0;

    // --- Games that reached a position

    struct Reached {
        RankedGame game;
        /// The last ply at which the game had one of the keys; empty if it is not known. Replaying
        /// the game up to it finds all matching plies.
        std::optional<std::uint32_t> last_ply = {};
        bool once = false;  // the game had the keys only once
        /// The indexes of the targets whose keys the game may have had; empty means any.
        std::vector<std::uint32_t> targets = {};
    };
    /// Returns the first `most` games that fit, reached one of the targets' keys and come after
    /// `after` in `order`; each game once.
    [[nodiscard]] virtual std::vector<Reached> reached(Targets targets, const GameFilter& filter,
                                                       GameOrder order,
                                                       std::optional<RankedGame> after,
                                                       std::size_t most, std::stop_token stop) = 0;
    class ReachedGames {
      public:
        virtual ~ReachedGames() = default;
        /// Sets `out` to the next game; returns false if there is none.
        [[nodiscard]] virtual bool next(Reached& out) = 0;
    };
    /// Returns the games after `after` that fit and may have reached one of the targets' keys, one
    /// by one in the order of ids. By default they are read in pages from reached(). The engine
    /// must outlive them, and the reader must not be refreshed.
    [[nodiscard]] virtual std::unique_ptr<ReachedGames> find(Targets targets,
                                                             const GameFilter& filter, GameId after,
                                                             std::stop_token stop);
    /// Returns the first `most` games after `after`, in the order of ids, that fit and have one of
    /// the keys in an indexed variation. The list may include other games that fit.
    [[nodiscard]] virtual std::vector<GameId> in_variations(Targets targets,
                                                            const GameFilter& filter, GameId after,
                                                            std::size_t most,
                                                            std::stop_token stop) = 0;

    struct Counts {
        std::uint64_t games = 0;
        std::uint64_t occurrences = 0;
    };
    /// Counts, for each question, the games that fit and reached any of its targets, and their
    /// occurrences.
    [[nodiscard]] virtual std::vector<Counts> counts(std::span<const std::vector<Target>> questions,
                                                     const GameFilter& filter,
                                                     std::stop_token stop) = 0;
    /// Returns whether counts() and tree() without a filter read sums of frequent positions, so
    /// that they take about as long for many games as for few.
    [[nodiscard]] virtual bool has_sums() const { return true; }

    /// A game that a tree names, with its move and its rank (codec::ranks_of()) in the list.
    struct NamedGame {
        GameId game = 0;
        chess::Move move;  // codec::kGameEndsHere if none
        std::uint64_t rank = 0;
    };
    /// The games that played one move. For a mirrored target, the move is that of the other colour
    /// (chess::mirrored()), and the game's result and ratings are exchanged, so that a tally is
    /// from the point of view of the question. A game that played the move both from a mirrored
    /// target and from another one counts once, not exchanged.
    struct PlayedMove {
        chess::Move next;  // codec::kGameEndsHere if none
        codec::Tally tally;
        std::vector<NamedGame> top;  // the best rated first
    };
    struct Tree {
        /// Counts each game once, also a game that returned and played another move and is in two
        /// of `moves`. A game counts as exchanged only if all its occurrences are.
        codec::Tally total;
        std::vector<PlayedMove> moves;  // in the order of Move::bits(), each once
        std::vector<NamedGame> top;     // the best rated first
        std::vector<NamedGame> recent;  // the latest first
    };
    struct TreeLists {
        GameLists lists = GameLists::kOfTreeAndMoves;
        /// The maximal number of games in a list. Without a filter, only codec::kNamedGames of each
        /// move are certain to be considered.
        std::size_t most = codec::kNamedGames;
        std::uint64_t min_games = 1;  // moves with fewer games need no list

        /// Returns whether a move gets a list.
        [[nodiscard]] bool name_games_of(chess::Move next, const codec::Tally& tally) const {
            return next != codec::kGameEndsHere && tally.games >= min_games &&
                   (lists == GameLists::kOfTreeAndMoves ||
                    (lists == GameLists::kOfTreeAndSingles && tally.games == 1));
        }
    };
    /// Sums up the games that fit and reached any of the targets.
    [[nodiscard]] virtual Tree tree(Targets targets, const GameFilter& filter,
                                    const TreeLists& lists, std::stop_token stop) = 0;

    /// Games that count as earlier than a given one: they fit, and were certainly played before
    /// (codec::is_certainly_before()). These are lists and sums without occurrences.
    struct Earlier {
        GameFilter filter;
        codec::Date before;               // without a year, all games count
        std::vector<GameId> except = {};  // these do not count; ascending
    };
    /// Returns the index of the last of these keys that a game which counts may have reached; empty
    /// if none did.
    [[nodiscard]] virtual std::optional<std::size_t> last_reached(
        std::span<const std::uint64_t> keys, const Earlier& earlier, std::stop_token stop) = 0;
    /// Sums up the games that count and reached a key. `recent` has the latest of them; among equal
    /// dates, the one with the lowest id.
    [[nodiscard]] virtual Tree earlier_tree(std::uint64_t key, const Earlier& earlier,
                                            std::stop_token stop) = 0;
    /// Returns the games that count and ended in a position with this key after so many plies, in
    /// the order of ids. The list may include games that do not fit the filter.
    [[nodiscard]] virtual std::vector<GameId> earlier_ends(std::uint64_t key, std::uint32_t plies,
                                                           const Earlier& earlier,
                                                           std::stop_token stop) = 0;

    struct Month {
        std::uint32_t month = 0;      // yyyymm, both known
        codec::ResultCounts results;  // at least one is not 0
    };
    /// Returns the results of the games that fit and reached any of the targets, each game once, in
    /// the order of months. Colours are not exchanged.
    [[nodiscard]] virtual std::vector<Month> months(Targets targets, const GameFilter& filter,
                                                    std::stop_token stop) = 0;

    // --- Repetitions and runs without capture and pawn move

    struct RepetitionQuestion {
        GameFilter filter;
        std::uint32_t min_count = 2;       // occurrences of the position
        std::optional<std::uint64_t> key;  // only this position
        std::optional<GameId> game;        // only this game
        bool decided = false;              // only games that one side won
    };
    struct RepetitionOfGame {
        Repetition repetition;
        codec::GameFacts facts;  // of the game
    };
    /// Returns the repetitions of games from `from` on, in the order of games and, within a game,
    /// of keys (as signed numbers). Returns about `most` rows, but always all rows of a game, and
    /// those of at least one game. Returns none if there are no more.
    [[nodiscard]] virtual std::vector<RepetitionOfGame> repetitions(
        const RepetitionQuestion& question, GameId from, std::size_t most,
        std::stop_token stop) = 0;

    /// Calls visit() with all of these rows, in pieces of whole games, until it returns false. By
    /// default these are the pages of repetitions().
    virtual void for_each_repetition(
        const RepetitionQuestion& question, GameId from,
        const std::function<bool(std::span<const RepetitionOfGame>)>& visit, std::stop_token stop);

    struct QuietRunQuestion {
        GameFilter filter;
        std::optional<GameId> game;
        bool seventy_five = false;  // only runs in which the clock reached 150
        bool decided = false;
    };
    struct QuietRunOfGame {
        QuietRun run;
        codec::GameFacts facts;
    };
    /// Like repetitions(), but returns runs, in the order of games and plies.
    [[nodiscard]] virtual std::vector<QuietRunOfGame> quiet_runs(const QuietRunQuestion& question,
                                                                 GameId from, std::size_t most,
                                                                 std::stop_token stop) = 0;

    /// Like for_each_repetition().
    virtual void for_each_quiet_run(
        const QuietRunQuestion& question, GameId from,
        const std::function<bool(std::span<const QuietRunOfGame>)>& visit, std::stop_token stop);

    /// Sums over the games that fit. query::RepetitionSummary explains the numbers.
    struct RepetitionSums {
        std::uint64_t games = 0;
        std::uint64_t twofold = 0;
        std::uint64_t threefold = 0;
        std::uint64_t fivefold = 0;
        std::uint64_t draws = 0;
        /// Draws whose last position occurred at least three times.
        std::uint64_t draws_by_repetition = 0;
        std::uint64_t fifty_moves = 0;
        std::uint64_t seventy_five_moves = 0;

        struct Position {
            std::uint64_t key = 0;
            std::uint64_t games = 0;
            GameId game = 0;        // the first of these games
            std::uint32_t ply = 0;  // the first ply at which that game had it
        };
        /// Positions that a game repeated `min_count` times or more, sorted by number of games
        /// (most first), then by game and ply.
        std::vector<Position> positions;
        /// One repetition (of `min_count` times or more) per game: the one with the most plies from
        /// the first to the last occurrence; among equal ones, the one with the lowest key (as a
        /// signed number). The longest comes first, then the lowest game.
        std::vector<Repetition> shuffles;
    };
    struct RepetitionLists {
        std::size_t positions = 0;  // at most
        std::size_t shuffles = 0;
    };
    [[nodiscard]] virtual RepetitionSums repetition_sums(const GameFilter& filter,
                                                         std::uint32_t min_count,
                                                         const RepetitionLists& most,
                                                         std::stop_token stop) = 0;
};

}  // namespace fendex::store
