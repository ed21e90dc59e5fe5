#include "query/opening_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "chess/san.hpp"
#include "query/played_move.hpp"
#include "query/variation_sums.hpp"

namespace fendex::query {

namespace {

using chess::Color;
using chess::Move;
using codec::Tally;

/// Finds the position in which a move was played: the given one or, if only the board must match,
/// the same board with the other side to move.
class MovePlaces {
  public:
    MovePlaces(const chess::AnyPosition& position, const Question& question) : asked_(position) {
        for (const Question::Target& target : question.targets) {
            if (!target.mirrored && target.position->side_to_move() != position.side_to_move()) {
                other_ = *target.position;
            }
        }
    }
    const chess::AnyPosition& asked() const { return asked_; }
    /// Returns the position before the move. Throws StoreError if the move can be played in neither
    /// position.
    const chess::AnyPosition& before(Move move) const {
        if (can_be_played(asked_, move)) return asked_;
        if (other_ && can_be_played(*other_, move)) return *other_;
        throw_cannot_be_played(asked_);
    }

  private:
    chess::AnyPosition asked_;
    std::optional<chess::AnyPosition> other_;
};

std::vector<NamedGame> named(const std::vector<store::Engine::NamedGame>& games,
                             const MovePlaces& places) {
    std::vector<NamedGame> out;
    for (const auto& [game, move, rank] : games) {
        NamedGame& each = out.emplace_back();
        each.game = game;
        each.rank = rank;
        if (move == codec::kGameEndsHere) continue;
        each.uci = chess::to_uci(places.before(move), move, chess::Variant::kChess960);
    }
    return out;
}

TreeMove tree_move(const store::Engine::PlayedMove& played, const MovePlaces& places) {
    const chess::AnyPosition& before = places.before(played.next);
    TreeMove out;
    out.move = played.next;
    out.mover = before.side_to_move();
    out.san = chess::to_san(before, played.next);
    out.uci = chess::to_uci(before, played.next, chess::Variant::kChess960);
    out.tally = played.tally;
    out.top_games = named(played.top, places);
    out.after = before;
    out.after.play(played.next);
    out.opening = replay::opening_of(out.after.key());
    return out;
}

/// Returns whether so many games reached the position that testing which of them fit takes longer
/// than looking up sums. To ask a cluster for their number takes too long. They are many if those
/// that fit are many.
bool is_frequent_with_filter(store::StoreReader& reader, PositionSearch& search,
                             const Question& question, const TreeOptions& options, const Tree& tree,
                             std::stop_token stop) {
    constexpr std::uint64_t kFrequent = 5000;
    if (search.matcher().takes_all() || options.variations || options.match != Match::kExact) {
        return false;
    }
    if (reader.is_remote()) return tree.total.games >= kFrequent && reader.engine().has_sums();
    const std::vector<std::vector<store::Engine::Target>> here{question.keys()};
    return reader.engine().counts(here, {}, std::move(stop)).front().games >= kFrequent;
}

/// Sets TreeMove::reached of moves for which the games that fit need not be looked up: if without a
/// filter as many games reached the position after a move as played the move here, these are the
/// same games. Two short reads for each move show that. Returns the other moves.
std::vector<TreeMove*> add_sure_transpositions(store::StoreReader& reader, const Question& question,
                                               Tree& tree, std::stop_token stop) {
    std::vector<TreeMove*> others;
    store::Engine& engine = reader.engine();
    const store::Engine::Tree played =
        engine.tree(question.keys(), {},
                    {store::GameLists::kNone, 0, std::numeric_limits<std::uint64_t>::max()}, stop);
    std::vector<std::vector<store::Engine::Target>> after;
    after.reserve(tree.moves.size());
    for (const TreeMove& move : tree.moves) after.push_back(Question::of(move.after).keys());
    const std::vector<store::Engine::Counts> reached = engine.counts(after, {}, std::move(stop));
    for (std::size_t i = 0; i < tree.moves.size(); ++i) {
        TreeMove& move = tree.moves[i];
        const auto here =
            std::ranges::find(played.moves, move.move, &store::Engine::PlayedMove::next);
        if (here != played.moves.end() && here->tally.games == reached[i].games) {
            move.reached = move.tally.games;
        } else {
            others.push_back(&move);
        }
    }
    return others;
}

}  // namespace

std::optional<double> mean_rating(const Tally& tally, Color side) {
    const bool white = side == Color::kWhite;
    const std::uint64_t games = white ? tally.white_elo_games : tally.black_elo_games;
    const std::uint64_t sum = white ? tally.white_elo_sum : tally.black_elo_sum;
    if (games == 0) return std::nullopt;
    return static_cast<double>(sum) / static_cast<double>(games);
}

std::optional<unsigned> TreeMove::mean_rating() const {
    const std::optional<double> rating = query::mean_rating(tally, mover);
    if (!rating) return std::nullopt;
    return static_cast<unsigned>(std::lround(*rating));
}

std::optional<unsigned> TreeMove::performance() const {
    const std::optional<double> opponents = query::mean_rating(tally, ~mover);
    const auto wins = static_cast<double>(tally.results.wins_of(mover));
    const auto losses = static_cast<double>(tally.results.wins_of(~mover));
    const auto draws = static_cast<double>(tally.results.draws());
    if (!opponents || wins + losses + draws == 0) return std::nullopt;
    constexpr double kMost = 800;
    const double points = wins + draws / 2;
    const double lost = losses + draws / 2;
    const double difference = points == 0 ? -kMost
                              : lost == 0
                                  ? kMost
                                  : std::clamp(400 * std::log10(points / lost), -kMost, kMost);
    return static_cast<unsigned>(std::lround(std::max(0.0, *opponents + difference)));
}

store::KeptHeadersOfSeveral headers_of(const Tree& tree,
                                       std::span<store::StoreReader* const> readers) {
    std::vector<store::KeptHeadersOfSeveral::Place> games;
    const auto name = [&](const std::vector<NamedGame>& named) {
        for (const NamedGame& each : named) games.emplace_back(each.database, each.game);
    };
    for (const TreeMove& move : tree.moves) name(move.top_games);
    name(tree.top_games);
    name(tree.recent_games);
    return {readers, games};
}

void add_transpositions(std::span<const TreeSource> sources, Match match, Tree& tree,
                        const std::stop_token& stop) {
    std::vector<Question> questions;
    questions.reserve(tree.moves.size());
    for (const TreeMove& move : tree.moves) questions.push_back(Question::of(move.after, match));
    for (TreeMove& move : tree.moves) move.reached = 0;
    for (const TreeSource& source : sources) {
        const std::vector<std::uint64_t> games = source.search->count_games(questions, stop);
        for (std::size_t i = 0; i < games.size(); ++i) *tree.moves[i].reached += games[i];
    }
}

void add_verdicts(std::span<store::StoreReader* const> readers, const TreeOptions& options,
                  Tree& tree) {
    if (!options.evaluations) return;
    Evaluations evaluations(readers);
    evaluations.together([&] {
        for (TreeMove& move : tree.moves) move.verdict = evaluations.verdict(move.after);
    });
    if (options.order != MoveOrder::kEval) return;
    const auto rank = [](const TreeMove& move) {
        if (!move.verdict) return std::numeric_limits<std::int64_t>::min();
        const std::int64_t sign = move.mover == Color::kWhite ? 1 : -1;
        return sign * codec::rank_of(move.verdict->score, move.mover);
    };
    std::ranges::stable_sort(tree.moves, std::ranges::greater{}, rank);
}

Tree opening_tree(store::StoreReader& reader, PositionSearch& search,
                  const chess::AnyPosition& position, const TreeOptions& options,
                  const std::stop_token& stop) {
    const Question question = Question::of(position, options.match);
    const MovePlaces places(position, question);
    const std::uint64_t least = options.variations ? 1 : options.min_games;
    store::Engine::Tree sums =
        reader.engine().tree(question.keys(), search.matcher().filter(),
                             {options.lists, options.named_games, least}, stop);
    if (options.variations) add_variations(reader, search, question, sums, stop);
    Tree tree;
    tree.position = position;
    tree.total = sums.total;
    tree.top_games = named(sums.top, places);
    tree.recent_games = named(sums.recent, places);
    for (const store::Engine::PlayedMove& played : sums.moves) {
        if (played.next == codec::kGameEndsHere) {
            tree.ended = played.tally;
        } else if (played.tally.games >= options.min_games) {
            tree.moves.push_back(tree_move(played, places));
        }
    }
    std::ranges::stable_sort(
        tree.moves, [](const auto& a, const auto& b) { return a.tally.games > b.tally.games; });
    tree.opening = replay::opening_of(position.key());
    if (options.transpositions &&
        is_frequent_with_filter(reader, search, question, options, tree, stop)) {
        std::vector<Question> left;
        const std::vector<TreeMove*> others = add_sure_transpositions(reader, question, tree, stop);
        left.reserve(others.size());
        for (const TreeMove* move : others) left.push_back(Question::of(move->after));
        const std::vector<std::uint64_t> games = search.count_games(left, stop);
        for (std::size_t i = 0; i < others.size(); ++i) others[i]->reached = games[i];
    } else if (options.transpositions) {
        const TreeSource source{&reader, &search};
        add_transpositions({&source, 1}, options.match, tree, stop);
    }
    store::StoreReader* const readers[] = {&reader};
    add_verdicts(readers, options, tree);
    return tree;
}

}  // namespace fendex::query
