// Questions that a store answers by itself, because its data is not on this machine: sums, filters
// and lists are computed where the data is, and only answers travel. A StoreReader may have an
// engine, which sees the reader's snapshot and belongs to its thread. Games are ids, which may have
// more than 32 bits. Each call may be a round trip, so it takes many games or keys at once; `most`
// may be SIZE_MAX, which is no limit. Every function throws base::Stopped soon after a stop was
// requested, and StoreError.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "chess/types.hpp"
#include "codec/big_position.hpp"
#include "codec/game_facts.hpp"
#include "codec/game_signature.hpp"
#include "codec/named_games.hpp"
#include "store/game_filter.hpp"
#include "store/records.hpp"

namespace fendex::store {

enum class GameOrder {
    kId,
    kDate,   // the latest first
    kElo,    // by the mean of both ratings, the highest first
    kPlies,  // the longest first
};

/// Returns the rank of a game in an order: its date (yyyymmdd), the sum of its ratings (twice the
/// only one, if one is unknown), its plies; 0 in the order of ids.
std::uint32_t rank_of(GameOrder order, const codec::GameFacts& facts);

/// A game and its rank in an order. The greatest rank comes first, of equal ranks the lowest id.
struct RankedGame {
    std::uint32_t rank = 0;
    GameId game = 0;

    bool operator<(const RankedGame& other) const {
        return rank != other.rank ? rank > other.rank : game < other.game;
    }
    bool operator==(const RankedGame&) const = default;
};

class Engine {
  public:
    virtual ~Engine() = default;

    /// A position to look for. A question has up to some hundred of them, each key once; a game
    /// that reached any of them counts.
    struct Target {
        std::uint64_t key = 0;
        bool mirrored = false;  // colours are exchanged
    };
    using Targets = std::span<const Target>;

    // --- Games

    [[nodiscard]] virtual std::uint64_t count_games(const GameFilter& filter,
                                                    std::stop_token stop) = 0;
    /// Counts the games of each variant, indexed by chess::Variant; chess::kVariants numbers.
    [[nodiscard]] virtual std::vector<std::uint64_t> count_by_variant(std::stop_token stop) = 0;
    /// Returns the first `most` games that fit and come after `after` in an order.
    [[nodiscard]] virtual std::vector<RankedGame> games(const GameFilter& filter, GameOrder order,
                                                        std::optional<RankedGame> after,
                                                        std::size_t most, std::stop_token stop) = 0;
    /// Returns those of these games (in the order of ids) that exist and fit, in that order, with
    /// their ranks.
    [[nodiscard]] virtual std::vector<RankedGame> ranks(const GameFilter& filter, GameOrder order,
                                                        std::span<const GameId> games,
                                                        std::stop_token stop) = 0;
    /// Returns the first games, in the order of ids, whose tag Site contains this text, byte for
    /// byte.
    [[nodiscard]] virtual std::vector<GameId> games_at_site(std::string_view part, std::size_t most,
                                                            std::stop_token stop) = 0;

    /// Returns the first `most` games after `after`, in the order of ids, that fit and whose
    /// signatures allow one of the conditions, at least. Others that fit may be among them.
    [[nodiscard]] virtual std::vector<GameId> possible_games(
        const GameFilter& filter, std::span<const codec::SignatureCondition> any_of, GameId after,
        std::size_t most, std::stop_token stop) = 0;

    /// Returns the first `most` games after `after`, in the order of ids, that fit and in which the
    /// halfmove clock may reach a number: because they have so many plies, or a start of their own.
    [[nodiscard]] virtual std::vector<GameId> games_for_clock(const GameFilter& filter,
                                                              std::uint32_t clock, GameId after,
                                                              std::size_t most,
                                                              std::stop_token stop) = 0;

    // --- Games that reached a position

    struct Reached {
        RankedGame game;
        /// Of the last ply at which the game had one of the keys. Replaying the game up to it finds
        /// all plies.
        std::uint32_t last_ply = 0;
    };
    /// Returns the first `most` games that fit, reached one of the targets' keys and come after
    /// `after` in an order; each game once.
    [[nodiscard]] virtual std::vector<Reached> reached(Targets targets, const GameFilter& filter,
                                                       GameOrder order,
                                                       std::optional<RankedGame> after,
                                                       std::size_t most, std::stop_token stop) = 0;
    /// Returns the first `most` games after `after`, in the order of ids, that fit and have one of
    /// the keys in an indexed variation.
    [[nodiscard]] virtual std::vector<GameId> in_variations(Targets targets,
                                                            const GameFilter& filter, GameId after,
                                                            std::size_t most,
                                                            std::stop_token stop) = 0;

    struct Counts {
        std::uint64_t games = 0;
        std::uint64_t occurrences = 0;
    };
    /// Counts for each question the games that fit and reached any of its targets, and how often
    /// they did.
    [[nodiscard]] virtual std::vector<Counts> counts(std::span<const std::vector<Target>> questions,
                                                     const GameFilter& filter,
                                                     std::stop_token stop) = 0;

    /// The games that played one move. For a mirrored target the move is that of the other colour
    /// (chess::mirrored()), and the game's results and ratings are exchanged, so that a tally is
    /// from the point of view of the question. A game that played the move from a mirrored target
    /// and from another one counts once, not exchanged.
    struct PlayedMove {
        chess::Move next;  // codec::kGameEndsHere: none
        codec::Tally tally;
        // Ranked as by codec::ranks_of(); at most as many as the question names.
        std::vector<codec::NamedGames::Entry> top;     // the best rated first
        std::vector<codec::NamedGames::Entry> recent;  // the latest first
    };
    struct Tree {
        /// A game that returned and played another move is in two of `moves`, but counts here once;
        /// exchanged only if all its occurrences are.
        codec::Tally total;
        std::vector<PlayedMove> moves;  // in the order of Move::bits(), each once
    };
    /// Sums up the games that fit and reached any of the targets. Each move names `named_games`
    /// games, if it has so many; without a filter, no more than codec::kNamedGames are certain.
    [[nodiscard]] virtual Tree tree(Targets targets, const GameFilter& filter,
                                    std::size_t named_games, std::stop_token stop) = 0;

    struct Month {
        std::uint32_t month = 0;     // yyyymm, both known
        std::uint64_t results[4]{};  // games, by codec::Result; some of them are not 0
    };
    /// Returns the results of the games that fit and reached any of the targets, each once, in the
    /// order of months. Colours are not exchanged.
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
    /// Returns the repetitions of the first games from `from` on, in the order of games and, within
    /// a game, of keys (as signed numbers). Always all of a game; about `most`, but those of one
    /// game at least. Empty: there are no more.
    [[nodiscard]] virtual std::vector<RepetitionOfGame> repetitions(
        const RepetitionQuestion& question, GameId from, std::size_t most,
        std::stop_token stop) = 0;

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
    /// The same for runs, which are in the order of games and plies.
    [[nodiscard]] virtual std::vector<QuietRunOfGame> quiet_runs(const QuietRunQuestion& question,
                                                                 GameId from, std::size_t most,
                                                                 std::stop_token stop) = 0;

    /// Of the games that fit. query::RepetitionSummary explains the numbers.
    struct RepetitionSums {
        std::uint64_t games = 0;
        std::uint64_t twofold = 0;
        std::uint64_t threefold = 0;
        std::uint64_t fivefold = 0;
        std::uint64_t draws = 0;
        std::uint64_t draws_by_repetition = 0;  // draws with a repetition (of 3 at least) whose
                                                // last ply is the game's last one
        std::uint64_t fifty_moves = 0;
        std::uint64_t seventy_five_moves = 0;

        struct Position {
            std::uint64_t key = 0;
            std::uint64_t games = 0;
            GameId game = 0;        // the first of them
            std::uint32_t ply = 0;  // at which that game first had it
        };
        /// Repeated `min_count` times or more; those of most games first, then by game and ply.
        std::vector<Position> positions;
        /// Of each game the repetition (of `min_count` times or more) with the most plies from the
        /// first to the last occurrence, of equal ones that of the lowest key (as a signed number);
        /// the longest first, then by game.
        std::vector<Repetition> shuffles;
    };
    /// Names `top` positions and shuffles.
    [[nodiscard]] virtual RepetitionSums repetition_sums(const GameFilter& filter,
                                                         std::uint32_t min_count, std::size_t top,
                                                         std::stop_token stop) = 0;
};

}  // namespace fendex::store
