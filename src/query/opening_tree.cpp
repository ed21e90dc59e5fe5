#include "query/opening_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "chess/mirrored.hpp"
#include "chess/san.hpp"
#include "codec/named_games.hpp"
#include "query/best_games.hpp"
#include "query/group_sums.hpp"
#include "query/played_move.hpp"

namespace fendex::query {

namespace {

using chess::Color;
using chess::Move;
using codec::GameFacts;
using codec::Tally;
using store::GameId;

GameFacts exchanged(GameFacts facts) {
    std::swap(facts.white_elo, facts.black_elo);
    if (facts.result == codec::Result::kWhiteWins) {
        facts.result = codec::Result::kBlackWins;
    } else if (facts.result == codec::Result::kBlackWins) {
        facts.result = codec::Result::kWhiteWins;
    }
    return facts;
}

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

/// Sums up the moves that games played from one position.
class TreeBuilder {
  public:
    TreeBuilder(store::StoreReader& reader, const TreeOptions& options, base::StopCheck& stop)
        : reader_(reader), options_(options), stop_(stop) {}

    /// The sums must live until finish().
    void add(const store::PositionSums& sums) {
        total_.add(sums.total);
        for (const store::MoveSums& move : sums.moves) {
            Group& to = group_of(move.next.bits());
            to.tally.add(move.tally);
            to.sums.push_back(&move);
        }
    }

    void add(std::vector<Occurrence> occurrences) {
        for (Occurrence& occurrence : occurrences) {
            if (occurrence.mirrored && occurrence.next != codec::kGameEndsHere) {
                occurrence.next = chess::mirrored(occurrence.next);
            }
        }
        // A game that played the move with both colours counts once, as not mirrored.
        const auto earlier = [](const Occurrence& a, const Occurrence& b) {
            return std::tuple(a.next.bits(), a.game, a.mirrored) <
                   std::tuple(b.next.bits(), b.game, b.mirrored);
        };
        if (!std::is_sorted(occurrences.begin(), occurrences.end(), earlier)) {
            std::sort(occurrences.begin(), occurrences.end(), earlier);
        }
        Group* group = nullptr;
        const Occurrence* last = nullptr;
        for (const Occurrence& occurrence : occurrences) {
            stop_();
            if (last == nullptr || last->next != occurrence.next)
                group = &group_of(occurrence.next.bits());
            ++group->tally.occurrences;
            const bool again =
                last != nullptr && last->next == occurrence.next && last->game == occurrence.game;
            last = &occurrence;
            if (again) continue;
            const GameFacts facts = facts_of(occurrence);
            group->tally.add_game(facts);
            group->top.offer(occurrence.game, codec::rank_by_rating(facts));
            group->recent.offer(occurrence.game, codec::rank_by_date(facts));
        }
        add_total(std::move(occurrences));
    }

    /// Adds the games of a position that fit, except for the unverified ones. Must be called before
    /// other games are added.
    void add(const PositionGames& position, GameMatcher& matcher) {
        std::vector<std::vector<std::uint32_t>> games;
        for (const PositionGames::Group& each : position.groups) {
            games.push_back(fitting(each.games, matcher));
        }
        const std::vector<GroupSums> sums =
            sums_of_groups(reader_, games, options_.named_games, stop_);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (games[i].empty()) continue;
            Tally tally = sums[i].tally;
            for (const std::uint32_t game : position.groups[i].again) {
                if (matcher(game)) ++tally.occurrences;
            }
            Group& group = group_of(position.groups[i].next.bits());
            group.tally.add(tally);
            group.top = sums[i].top;
            group.recent = sums[i].recent;
            total_.add(tally);
        }
        for (const std::uint32_t game : position.in_others) {
            if (matcher(game)) total_.remove_game(reader_.facts(game));
        }
    }

    void add(const store::Engine::Tree& sums) {
        total_.add(sums.total);
        for (const store::Engine::PlayedMove& move : sums.moves) {
            Group& to = group_of(move.next.bits());
            to.tally.add(move.tally);
            for (const auto& [rank, game] : move.top) to.top.offer(game, rank);
            for (const auto& [rank, game] : move.recent) to.recent.offer(game, rank);
        }
    }

    Tree finish(const MovePlaces& places) const {
        Tree tree;
        tree.position = places.asked();
        tree.total = total_;
        if (options_.lists != GameLists::kNone) {
            tree.top_games = named(top_games(), places);
            tree.recent_games = named(recent_games(), places);
        }
        for (const auto& [bits, group] : groups_) {
            const Move move = Move::from_bits(bits);
            if (move == codec::kGameEndsHere) {
                tree.ended = group.tally;
                continue;
            }
            if (group.tally.games < options_.min_games) continue;
            const chess::AnyPosition& before = places.before(move);
            TreeMove& out = tree.moves.emplace_back();
            out.move = move;
            out.mover = before.side_to_move();
            out.san = chess::to_san(before, move);
            out.uci = chess::to_uci(before, move, chess::Variant::kChess960);
            out.tally = group.tally;
            if (!names_games_of(group)) continue;
            BestGames best;
            add_top(move, group, best);
            out.top_games = named(choose_top(best), places);
        }
        std::stable_sort(tree.moves.begin(), tree.moves.end(), [](const auto& a, const auto& b) {
            return a.tally.games > b.tally.games;
        });
        return tree;
    }

  private:
    struct Group {
        Tally tally;
        std::vector<const store::MoveSums*> sums;
        // The named games that are not in `sums`.
        codec::NamedGames top;
        codec::NamedGames recent;
    };

    Group& group_of(std::uint16_t move) {
        const codec::NamedGames none(options_.named_games);
        return groups_.try_emplace(move, Group{{}, {}, none, none}).first->second;
    }
    bool names_games_of(const Group& group) const {
        return options_.lists == GameLists::kOfTreeAndMoves ||
               (options_.lists == GameLists::kOfTreeAndSingles && group.tally.games == 1);
    }

    GameFacts facts_of(const Occurrence& occurrence) {
        const GameFacts facts = reader_.facts(occurrence.game);
        return occurrence.mirrored ? exchanged(facts) : facts;
    }

    /// Adds games to the total, each once: a game that returned and played another move is in two
    /// groups. A game that had the position with both colours counts as not mirrored.
    void add_total(std::vector<Occurrence> occurrences) {
        total_.occurrences += occurrences.size();
        std::stable_sort(occurrences.begin(), occurrences.end(),
                         [](const Occurrence& a, const Occurrence& b) {
                             return std::pair(a.game, a.mirrored) < std::pair(b.game, b.mirrored);
                         });
        const Occurrence* last = nullptr;
        for (const Occurrence& occurrence : occurrences) {
            stop_();
            if (last == nullptr || last->game != occurrence.game)
                total_.add_game(facts_of(occurrence));
            last = &occurrence;
        }
    }

    static void add_top(Move move, const Group& group, BestGames& best) {
        for (const store::MoveSums* sums : group.sums) {
            best.add(move, sums->top_games, std::numeric_limits<std::uint64_t>::max());
        }
        best.add(move, group.top);
    }
    std::vector<BestGames::Chosen> choose_top(BestGames& best) const {
        return best.choose(options_.named_games,
                           [&](GameId game) { return reader_.ranks(game).rating; });
    }
    std::vector<BestGames::Chosen> top_games() const {
        BestGames best;
        for (const auto& [bits, group] : groups_) add_top(Move::from_bits(bits), group, best);
        return choose_top(best);
    }
    std::vector<BestGames::Chosen> recent_games() const {
        BestGames best;
        for (const auto& [bits, group] : groups_) {
            const Move move = Move::from_bits(bits);
            for (const store::MoveSums* sums : group.sums) {
                best.add(move, sums->recent_games, sums->tally.last_date.number());
            }
            best.add(move, group.recent);
        }
        return best.choose(options_.named_games,
                           [&](GameId game) { return reader_.ranks(game).date.number(); });
    }
    static std::vector<NamedGame> named(const std::vector<BestGames::Chosen>& games,
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

    store::StoreReader& reader_;
    const TreeOptions& options_;
    base::StopCheck& stop_;
    Tally total_;
    std::map<std::uint16_t, Group> groups_;
};

/// Returns the mean rating of one side; empty if none is known.
std::optional<double> mean(const Tally& tally, Color side) {
    const bool white = side == Color::kWhite;
    const std::uint64_t games = white ? tally.white_elo_games : tally.black_elo_games;
    const std::uint64_t sum = white ? tally.white_elo_sum : tally.black_elo_sum;
    if (games == 0) return std::nullopt;
    return static_cast<double>(sum) / static_cast<double>(games);
}

}  // namespace

std::optional<unsigned> TreeMove::mean_rating() const {
    const std::optional<double> rating = mean(tally, mover);
    if (!rating) return std::nullopt;
    return static_cast<unsigned>(std::lround(*rating));
}

std::optional<unsigned> TreeMove::performance() const {
    const std::optional<double> opponents = mean(tally, ~mover);
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

void add_transpositions(std::span<const TreeSource> sources, Match match, Tree& tree,
                        std::stop_token stop) {
    std::vector<Question> questions;
    questions.reserve(tree.moves.size());
    for (const TreeMove& move : tree.moves) questions.push_back(Question::of(move.after, match));
    for (TreeMove& move : tree.moves) move.reached = 0;
    for (const TreeSource& source : sources) {
        const std::vector<std::uint64_t> games = source.search->count_games(questions, stop);
        for (std::size_t i = 0; i < games.size(); ++i) *tree.moves[i].reached += games[i];
    }
}

Tree opening_tree(store::StoreReader& reader, PositionSearch& search,
                  const chess::AnyPosition& position, const TreeOptions& options,
                  std::stop_token stop) {
    const Question question = Question::of(position, options.match);
    const MovePlaces places(position, question);
    base::StopCheck check(stop);
    TreeBuilder gatherer(reader, options, check);
    std::shared_ptr<const store::PositionOverview> overview;
    if (store::Engine* const engine = reader.engine()) {
        const std::size_t named = options.lists == GameLists::kNone ? 0 : options.named_games;
        gatherer.add(engine->tree(question.keys(), search.matcher().filter(), named, stop));
    } else if (search.sums_suffice(question)) {
        const Question::Target& target = question.targets.front();
        overview = overview_of_position(reader, target.key);
        for (const store::PositionSums& sums : overview->sums) gatherer.add(sums);
        std::vector<Occurrence> occurrences;
        search.append_occurrences(target, overview->candidates, occurrences, check);
        gatherer.add(std::move(occurrences));
    } else if (const auto games = search.position_games(question, check)) {
        const Question::Target& target = question.targets.front();
        gatherer.add(*games, search.matcher());
        std::vector<Occurrence> occurrences;
        search.append_occurrences(target, candidates_of(*games), occurrences, check);
        gatherer.add(std::move(occurrences));
    } else {
        gatherer.add(search.occurrences(question, stop));
    }
    Tree tree = gatherer.finish(places);
    tree.opening = replay::opening_of(position.key());
    for (TreeMove& move : tree.moves) {
        move.after = places.before(move.move);
        move.after.play(move.move);
        move.opening = replay::opening_of(move.after.key());
    }
    if (options.transpositions) {
        const TreeSource source{&reader, &search};
        add_transpositions({&source, 1}, options.match, tree, stop);
    }
    return tree;
}

}  // namespace fendex::query
