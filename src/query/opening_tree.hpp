// What was played from a position, how often, by whom and with what results; and beside each move
// in how many games the position it leads to was reached at all, by whatever order of moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/big_position.hpp"
#include "query/opening_names.hpp"
#include "query/position_search.hpp"

namespace fendex::query {

struct TreeOptions {
    Match match = Match::kExact;
    /// Count the games that reach the positions after each move by any order of moves.
    bool transpositions = true;
    unsigned depth = 1;           // plies
    std::uint64_t min_games = 1;  // moves of fewer games are left out
};

struct NamedGame {
    store::GameId game = 0;
    std::string uci;  // what it played from there; empty: nothing
};

struct Tree;

/// Tallies are seen as asked: of a game that stood there with colours exchanged, results and
/// ratings are exchanged too.
struct TreeMove {
    chess::Move move;
    chess::Color mover = chess::Color::kWhite;
    std::string san;
    std::string uci;  // castling as king takes rook
    codec::Tally tally;
    std::vector<store::GameId> top_games;     // best rated first
    std::vector<store::GameId> recent_games;  // latest first
    std::optional<std::uint64_t> reached;     // games, by any order of moves
    std::optional<Opening> opening;           // after it
    std::vector<Tree> replies;                // what follows, or nothing

    /// Of the mover; empty where no rating is known.
    std::optional<unsigned> mean_rating() const;
    /// The rating that its results are worth against these opponents: the opponents' mean and
    /// 400 log10 of the odds, at most 800.
    std::optional<unsigned> performance() const;
};

struct Tree {
    chess::AnyPosition position;
    codec::Tally total;           // distinct games
    std::vector<TreeMove> moves;  // most played first
    codec::Tally ended;           // games that end here
    std::vector<NamedGame> top_games;
    std::vector<NamedGame> recent_games;
    std::optional<Opening> opening;
};

/// The search says of which games.
Tree opening_tree(store::StoreReader& reader, PositionSearch& search,
                  const chess::AnyPosition& position, const TreeOptions& options);

}  // namespace fendex::query
