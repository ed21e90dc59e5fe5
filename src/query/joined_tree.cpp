#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "query/opening_tree.hpp"

namespace fendex::query {

namespace {

/// Joins the trees of several databases for one position.
class TreeJoin {
  public:
    explicit TreeJoin(const TreeOptions& options) : options_(options) {}

    void add(std::size_t database, Tree tree) {
        out_.position = tree.position;
        out_.opening = tree.opening;
        out_.total.add(tree.total);
        out_.ended.add(tree.ended);
        for (auto* const games : {&tree.top_games, &tree.recent_games}) mark(database, *games);
        append(std::move(tree.top_games), out_.top_games);
        append(std::move(tree.recent_games), out_.recent_games);
        for (TreeMove& move : tree.moves) {
            mark(database, move.top_games);
            const auto [at, is_new] = moves_.try_emplace(move.move.bits());
            TreeMove& joined = at->second;
            if (is_new) {
                joined = std::move(move);
                continue;
            }
            joined.tally.add(move.tally);
            append(std::move(move.top_games), joined.top_games);
        }
    }

    Tree finish() {
        keep_best(out_.top_games);
        keep_best(out_.recent_games);
        for (auto& [bits, move] : moves_) {
            if (move.tally.games < options_.min_games) continue;
            keep_best(move.top_games);
            out_.moves.push_back(std::move(move));
        }
        std::ranges::stable_sort(
            out_.moves, [](const auto& a, const auto& b) { return a.tally.games > b.tally.games; });
        return std::move(out_);
    }

  private:
    static void mark(std::size_t database, std::vector<NamedGame>& games) {
        for (NamedGame& game : games) game.database = database;
    }
    static void append(std::vector<NamedGame> games, std::vector<NamedGame>& to) {
        std::move(games.begin(), games.end(), std::back_inserter(to));
    }

    /// Keeps the best of the games that each database has chosen. Among games with equal ranks
    /// those of earlier databases come first, as if they had lower numbers.
    void keep_best(std::vector<NamedGame>& games) const {
        std::ranges::stable_sort(games, std::ranges::greater(), &NamedGame::rank);
        games.resize(std::min(games.size(), options_.named_games));
    }

    const TreeOptions& options_;
    Tree out_;
    std::map<std::uint16_t, TreeMove> moves_;  // by the move's bits, as in the tree of one database
};

}  // namespace

Tree opening_tree(std::span<const TreeSource> sources, const chess::AnyPosition& position,
                  const TreeOptions& options, const std::stop_token& stop) {
    if (sources.size() == 1) {
        return opening_tree(*sources[0].reader, *sources[0].search, position, options, stop);
    }
    // Only the joined tree shows which moves have enough games, and transpositions are counted only
    // for these moves.
    TreeOptions of_each = options;
    of_each.min_games = std::min<std::uint64_t>(options.min_games, 1);
    of_each.transpositions = false;
    of_each.evaluations = false;
    TreeJoin join(options);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        join.add(i, opening_tree(*sources[i].reader, *sources[i].search, position, of_each, stop));
    }
    Tree tree = join.finish();
    if (options.transpositions) add_transpositions(sources, options.match, tree, stop);
    std::vector<store::StoreReader*> readers;
    for (const TreeSource& source : sources) readers.push_back(source.reader);
    add_verdicts(readers, options, tree);
    return tree;
}

}  // namespace fendex::query
