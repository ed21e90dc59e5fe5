#include "query/preparation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/stop_check.hpp"
#include "chess/any_position.hpp"
#include "chess/san.hpp"
#include "query/opening_tree.hpp"
#include "query/position_search.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::query {

namespace {

using chess::Position;
using store::GameId;

constexpr double kHalfLifeYears = 3;
constexpr double kAgeWithoutYear = 15;
/// Positions after this ply are ignored.
constexpr std::uint32_t kLastPly = 40;
constexpr unsigned kRepertoireDepth = 12;
/// Limits of the repertoire. A move must have these shares of the weight of its position and of all
/// games, and this number of games. Only the kMostReplies heaviest moves of a position are kept.
constexpr double kLeastShare = 0.1;
constexpr double kLeastShareOfAll = 0.02;
constexpr std::uint64_t kLeastGames = 2;
constexpr std::size_t kMostReplies = 4;
/// Limits of weak spots: the least number of games, the least share of the weight of all games, and
/// the first ply.
constexpr std::uint64_t kLeastSpotGames = 4;
constexpr double kLeastSpotShare = 0.01;
constexpr std::uint32_t kFirstSpotPly = 3;
constexpr std::size_t kMostSpots = 8;
constexpr std::size_t kMostOthers = 6;
/// The score of few games is not reliable. So this number of games with the player's mean score is
/// added to each position before positions are compared.
constexpr double kPriorGames = 5;
/// A weak spot is worse than the player's mean score by more than this, in percentage points.
constexpr double kWorse = 3;
constexpr std::size_t kMostNamedGames = 12;
/// If a player has more games (as programs have on servers), only the latest ones count.
constexpr std::size_t kMostGames = 20'000;

/// A game of the player.
struct OwnGame {
    GameId id = 0;
    codec::GameFacts facts;
    double weight = 0;
    PlayerScore score;
};

double years_of(codec::Date date) {
    return date.year() + (date.month() == 0 ? 0.5 : (date.month() - 0.5) / 12);
}

void add(const OwnGame& game, WeightedScore& sum) {
    sum.score.add(game.score);
    sum.weight += game.weight;
    sum.last_date = std::max(sum.last_date, game.facts.date);
    if (game.score.decided() == 0) return;
    sum.decided_weight += game.weight;
    sum.points += game.weight * (static_cast<double>(game.score.wins) +
                                 static_cast<double>(game.score.draws) / 2);
}

/// A position that the games reached more than once.
struct Node {
    Position position;
    std::uint32_t ply = 0;    // in the game that reached it first
    std::size_t example = 0;  // index of that game
    WeightedScore score;
    std::vector<std::uint32_t> games;  // indexes, ascending
    std::map<std::uint16_t, WeightedScore> moves;
};

class Preparing {
  public:
    Preparing(store::StoreReader& reader, GameMatcher& matcher, chess::Color color,
              std::stop_token stop)
        : reader_(reader), matcher_(matcher), color_(color), token_(stop), stop_(std::move(stop)) {}

    Preparation prepare(const std::vector<std::string>& names) {
        collect_games(names);
        for (const OwnGame& game : games_) query::add(game, out_.total);
        collect_nodes();
        if (const Node* const start = find(Position())) add_replies(*start, 0);
        add_weak_spots();
        return std::move(out_);
    }

  private:
    void collect_games(const std::vector<std::string>& names) {
        const bool white = color_ == chess::Color::kWhite;
        for (const store::Engine::FactsOfGame& each :
             reader_.engine().latest_games(names, color_, matcher_.filter(), kMostGames, token_)) {
            games_.push_back({each.game, each.facts, 0, PlayerScore::of(each.facts.result, white)});
        }
        codec::Date latest;
        for (const OwnGame& game : games_) {
            latest = std::max(latest, game.facts.date);
            if (game.facts.date.year() == 0) continue;
            if (out_.first_date == 0 || game.facts.date < out_.first_date) {
                out_.first_date = game.facts.date;
            }
        }
        for (OwnGame& game : games_) {
            const double age = game.facts.date.year() == 0
                                   ? kAgeWithoutYear
                                   : years_of(latest) - years_of(game.facts.date);
            game.weight = std::exp2(-std::max(0.0, age) / kHalfLifeYears);
        }
        name_latest_games();
    }

    void name_latest_games() {
        std::vector<const OwnGame*> latest;
        for (const OwnGame& game : games_) latest.push_back(&game);
        std::ranges::stable_sort(latest, std::ranges::greater(),
                                 [](const OwnGame* game) { return game->facts.date; });
        for (const OwnGame* const game : latest) {
            if (out_.recent.size() < kMostNamedGames) out_.recent.push_back(game->id);
            if (game->score.losses != 0 && out_.lost.size() < kMostNamedGames) {
                out_.lost.push_back(game->id);
            }
        }
    }

    /// Calls visit(index of the game, walk) for each position up to kLastPly.
    template <typename Visit>
    void for_each_position(Visit visit) {
        std::vector<GameId> ids;
        for (const OwnGame& game : games_) ids.push_back(game.id);
        std::size_t index = 0;
        reader_.moves(ids, [&](GameId id, const store::StoredMoves& moves) {
            stop_();
            while (games_[index].id != id) ++index;
            codec::GameWalk walk = replay::walk(id, moves);
            for (;; walk.advance()) {
                visit(index, walk);
                if (walk.at_end() || walk.ply() == kLastPly) break;
            }
            replay::require_intact(id, walk);
        });
    }

    void collect_nodes() {
        std::unordered_map<std::uint64_t, std::uint32_t> visits;
        for_each_position(
            [&](std::size_t, const codec::GameWalk& walk) { ++visits[walk.position().key()]; });
        for_each_position([&](std::size_t index, const codec::GameWalk& walk) {
            const Position& position = walk.position();
            if (visits.at(position.key()) < kLeastGames) return;
            const auto [found, added] = nodes_.try_emplace(position.key());
            Node& node = found->second;
            if (added) {
                node.position = position;
                node.ply = walk.ply();
                node.example = index;
            }
            // A game that returns to a position counts once, with the first move.
            if (!node.games.empty() && node.games.back() == index) return;
            node.games.push_back(static_cast<std::uint32_t>(index));
            query::add(games_[index], node.score);
            if (!walk.at_end()) query::add(games_[index], node.moves[walk.next_move().bits()]);
        });
    }

    const Node* find(const Position& position) const {
        const auto found = nodes_.find(position.key());
        return found == nodes_.end() ? nullptr : &found->second;
    }

    void add_replies(const Node& node, unsigned depth) {
        if (depth == kRepertoireDepth) return;
        std::vector<std::pair<chess::Move, const WeightedScore*>> moves;
        for (const auto& [bits, score] : node.moves) {
            if (score.score.games >= kLeastGames &&
                score.weight >= kLeastShare * node.score.weight &&
                score.weight >= kLeastShareOfAll * out_.total.weight) {
                moves.emplace_back(chess::Move::from_bits(bits), &score);
            }
        }
        std::ranges::stable_sort(moves, std::ranges::greater(),
                                 [](const auto& move) { return move.second->weight; });
        if (moves.size() > kMostReplies) moves.resize(kMostReplies);
        for (const auto& [move, score] : moves) {
            Position after = node.position;
            after.play(move);
            out_.repertoire.push_back({node.position, chess::to_san(node.position, move), depth,
                                       node.position.side_to_move() == color_,
                                       score->weight / node.score.weight, *score,
                                       replay::opening_of(after)});
            if (const Node* const next = find(after)) add_replies(*next, depth + 1);
        }
    }

    /// Returns the score in percent, including kPriorGames, by which positions are compared.
    double careful_percent(const Node& node) const {
        return 100 * (node.score.points + kPriorGames * out_.total.percent() / 100) /
               (node.score.decided_weight + kPriorGames);
    }

    bool may_be_weak(const Node& node) const {
        return node.position.side_to_move() != color_ && node.ply >= kFirstSpotPly &&
               node.score.score.games >= kLeastSpotGames &&
               node.score.weight >= kLeastSpotShare * out_.total.weight &&
               careful_percent(node) < out_.total.percent() - kWorse;
    }

    /// Returns whether more than half of the games of one position are also games of the other.
    /// Then both show the same weakness.
    static bool shows_the_same_as(const Node& node, const Node& other) {
        std::vector<std::uint32_t> common;
        std::set_intersection(node.games.begin(), node.games.end(), other.games.begin(),
                              other.games.end(), std::back_inserter(common));
        return 2 * common.size() > std::min(node.games.size(), other.games.size());
    }

    void add_weak_spots() {
        std::vector<const Node*> weak;
        for (const auto& [key, node] : nodes_) {
            if (may_be_weak(node)) weak.push_back(&node);
        }
        // Positions with the same games have the same score. The last of them comes first, because
        // the games differ from there on.
        std::ranges::sort(weak, {}, [&](const Node* node) {
            return std::tuple(careful_percent(*node), ~node->ply, node->position.key());
        });
        std::vector<const Node*> chosen;
        for (const Node* const node : weak) {
            if (chosen.size() == kMostSpots) break;
            if (std::ranges::none_of(
                    chosen, [&](const Node* other) { return shows_the_same_as(*node, *other); })) {
                chosen.push_back(node);
            }
        }
        for (const Node* const node : chosen) out_.weak_spots.push_back(spot(*node));
    }

    WeakSpot spot(const Node& node) {
        WeakSpot out;
        out.position = node.position;
        out.score = node.score;
        add_line(node, out);
        PositionSearch search(reader_, matcher_);
        const Tree tree =
            opening_tree(reader_, search, node.position,
                         {.transpositions = false, .lists = GameLists::kNone}, token_);
        for (const TreeMove& move : tree.moves) {
            if (out.moves.size() == kMostOthers) break;
            const auto own = node.moves.find(move.move.bits());
            out.moves.push_back({move.san, move.tally,
                                 own == node.moves.end() ? PlayerScore{} : own->second.score});
        }
        return out;
    }

    /// Writes the moves by which a game reached the position, and the last opening on the way.
    void add_line(const Node& node, WeakSpot& spot) {
        store::StoredMoves moves;
        const GameId id = games_[node.example].id;
        if (!reader_.moves(id, moves)) return;
        for (codec::GameWalk walk = replay::walk(id, moves);; walk.advance()) {
            const Position& position = walk.position();
            if (const auto named = replay::opening_of(position)) spot.opening = named;
            if (walk.ply() == node.ply) break;
            const bool white = position.side_to_move() == chess::Color::kWhite;
            if (!spot.line.empty()) spot.line += ' ';
            if (white || spot.line.empty()) {
                spot.line += std::to_string(position.fullmove_number()) + (white ? "." : "...");
            }
            spot.line += chess::to_san(position, walk.next_move());
        }
    }

    store::StoreReader& reader_;
    GameMatcher& matcher_;
    chess::Color color_;
    std::stop_token token_;
    base::StopCheck stop_;
    std::vector<OwnGame> games_;  // ascending by id
    std::unordered_map<std::uint64_t, Node> nodes_;
    Preparation out_;
};

/// Looks up what engines said of all positions.
void add_verdicts(store::StoreReader& reader, Preparation& found) {
    store::StoreReader* const readers[] = {&reader};
    Evaluations evaluations(readers);
    if (evaluations.empty()) return;
    const auto known = [&](std::optional<Verdict> verdict) {
        found.has_verdicts |= verdict.has_value();
        return verdict;
    };
    evaluations.together([&] {
        for (PreparedMove& move : found.repertoire) {
            move.verdict = known(evaluations.verdict_after(move.before, move.san));
        }
        for (WeakSpot& spot : found.weak_spots) {
            spot.verdict = known(evaluations.verdict(spot.position));
            for (OtherMove& move : spot.moves) {
                move.verdict = known(evaluations.verdict_after(spot.position, move.san));
            }
        }
    });
}

}  // namespace

Preparation prepare(store::StoreReader& reader, GameMatcher& matcher,
                    const std::vector<std::string>& names, chess::Color color,
                    std::stop_token stop) {
    Preparation found = Preparing(reader, matcher, color, std::move(stop)).prepare(names);
    add_verdicts(reader, found);
    return found;
}

}  // namespace fendex::query
