// The moves that were played from a position: how often, by whom and with what results; and for
// each move the number of games that got to the resulting position by any move order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "codec/big_position.hpp"
#include "query/evaluations.hpp"
#include "query/position_search.hpp"
#include "replay/opening_names.hpp"
#include "store/kept_headers.hpp"

namespace fendex::query {

using store::GameLists;

/// Returns the mean rating of one side's players; empty if none is known.
[[nodiscard]] std::optional<double> mean_rating(const codec::Tally& tally, chess::Color side);

/// The order of the moves of a tree.
enum class MoveOrder {
    kGames,  // most played first
    kEval,   // best for the side to move first; moves without an evaluation are last
};

struct TreeOptions {
    Match match = Match::kExact;
    /// Count the games that reach the positions after each move by any order of moves.
    bool transpositions = true;
    std::uint64_t min_games = 1;  // moves with fewer games are left out
    /// Indexed variations count, too, as add_variations() says. Only for Match::kExact.
    bool variations = false;
    GameLists lists = GameLists::kOfTreeAndMoves;
    bool evaluations = true;  // set TreeMove::verdict
    MoveOrder order = MoveOrder::kGames;
    /// The maximal number of games in a list. Without a filter, games after the first
    /// codec::kNamedGames may be missing, because the stored sums of frequent positions name only
    /// that many for each move.
    std::size_t named_games = codec::kNamedGames;
};

struct NamedGame {
    store::GameId game = 0;
    std::string uci;           // the move it played from there; empty if it ended there
    std::size_t database = 0;  // index of the game's database, if there are several
    std::uint64_t rank = 0;    // lists are sorted by this, highest first
};

/// A move of a tree. If a game had the position with colours exchanged, its result and ratings are
/// exchanged in the tally, so that tallies are from the point of view of the searched position.
struct TreeMove {
    chess::Move move;
    chess::Color mover = chess::Color::kWhite;
    std::string san;
    std::string uci;  // castling as king takes rook
    codec::Tally tally;
    std::vector<NamedGame> top_games;        // best rated first
    std::optional<std::uint64_t> reached;    // games, by any order of moves
    std::optional<replay::Opening> opening;  // the opening after the move
    std::optional<Verdict> verdict;          // on the position after the move
    chess::AnyPosition after;

    /// Returns the mean rating of the players of the move; empty if no rating is known.
    std::optional<unsigned> mean_rating() const;
    /// Returns the performance rating: the opponents' mean rating plus 400 log10(points won /
    /// points lost), which is limited to -800 to 800. Empty if no opponent's rating or no result is
    /// known.
    std::optional<unsigned> performance() const;
};

struct Tree {
    chess::AnyPosition position;
    codec::Tally total;           // counts each game once
    std::vector<TreeMove> moves;  // in the order that was asked for
    codec::Tally ended;           // games that end here
    std::vector<NamedGame> top_games;
    std::vector<NamedGame> recent_games;
    std::optional<replay::Opening> opening;
};

/// Reads the headers of all games that a tree names, in one call for each of its databases.
[[nodiscard]] store::KeptHeadersOfSeveral headers_of(const Tree& tree,
                                                     std::span<store::StoreReader* const> readers);

/// Returns the tree of the games that the search's filter accepts. Throws base::Stopped soon after
/// a stop was requested.
Tree opening_tree(store::StoreReader& reader, PositionSearch& search,
                  const chess::AnyPosition& position, const TreeOptions& options,
                  const std::stop_token& stop = {});

/// A database, and the search for the games that a filter accepts. Both must outlive the
/// calls and the TreeDescent that use them.
struct TreeSource {
    store::StoreReader* reader = nullptr;
    PositionSearch* search = nullptr;
};

/// Returns the tree of the games of all these databases (at least one). It is the same as the tree
/// of one database that has all their games in this order.
Tree opening_tree(std::span<const TreeSource> sources, const chess::AnyPosition& position,
                  const TreeOptions& options, const std::stop_token& stop = {});

/// Sets TreeMove::reached of each move to the number of games in all these databases that got to
/// the position after the move.
void add_transpositions(std::span<const TreeSource> sources, Match match, Tree& tree,
                        const std::stop_token& stop = {});

/// Sets the verdicts on the positions after the moves, and sorts the moves.
void add_verdicts(std::span<store::StoreReader* const> readers, const TreeOptions& options,
                  Tree& tree);

/// The greatest depth of a tree, in plies.
inline constexpr unsigned kMostTreeDepth = 1000;

/// Returns the usual TreeOptions::min_games of deep trees, whose first position `games` reached.
/// With 1, they would have a line for every ply of every game.
[[nodiscard]] constexpr std::uint64_t min_games_of_deep_tree(std::uint64_t games) {
    return std::max<std::uint64_t>(2, games / 1000);
}

/// Traverses a tree of several plies, depth first. Memory holds one tree for each ply of the
/// current line, however many lines there are. With GameLists::kOfTree only the first tree lists
/// games. Belongs to the readers' thread.
class TreeDescent {
  public:
    /// `depth` is in plies: 1 is the tree of one position alone.
    TreeDescent(std::vector<TreeSource> sources, const TreeOptions& options, unsigned depth,
                std::stop_token stop = {})
        : sources_(std::move(sources)), options_(options), depth_(depth), stop_(std::move(stop)) {}

    /// Calls visit(const Tree&) with the tree of a position.
    template <typename Visit>
    void from(const chess::AnyPosition& position, Visit visit) {
        visit(enter(position));
        leave();
    }
    /// Calls visit() with the tree after a move of the current tree, if there is one.
    template <typename Visit>
    void replies(const TreeMove& move, Visit visit) {
        if (goes_on_after(move)) from(move.after, visit);
    }

    /// Returns the tree of a position, which is the current tree until leave() is called.
    [[nodiscard]] Tree enter(const chess::AnyPosition& position) {
        line_.push_back(position.key());
        if (line_.size() > 1 && options_.lists == GameLists::kOfTree) {
            options_.lists = GameLists::kNone;
        }
        return opening_tree(sources_, position, options_, stop_);
    }
    void leave() { line_.pop_back(); }
    /// Returns whether there is a tree after a move of the current tree. There is none at `depth`,
    /// or if the move returns to an earlier position of the line: that tree would contain itself.
    [[nodiscard]] bool goes_on_after(const TreeMove& move) const {
        return line_.size() < depth_ && std::ranges::find(line_, move.after.key()) == line_.end();
    }

  private:
    std::vector<TreeSource> sources_;
    TreeOptions options_;
    unsigned depth_;
    std::stop_token stop_;
    std::vector<std::uint64_t> line_;  // keys of the positions of the current line
};

}  // namespace fendex::query
