#include "query/novelty.hpp"

#include <algorithm>

#include "base/text_fold.hpp"
#include "chess/san.hpp"
#include "query/played_move.hpp"
#include "query/variation_sums.hpp"
#include "replay/stored_walk.hpp"
#include "store/game_identity.hpp"

namespace fendex::query {

namespace {

using chess::AnyPosition;
using store::GameId;

/// The moves of a game and the keys of its positions, the start first. Only every kPliesBetween-th
/// position is kept, because a game may have a million positions.
class LineRequest {
  public:
    explicit LineRequest(const store::StoredMoves& game) {
        replay::with_walk(0, game, [&](auto& walk) {
            for (;; walk.advance()) {
                if (keys_.size() % kPliesBetween == 0) kept_.emplace_back(walk.position());
                keys_.push_back(walk.position().key());
                if (walk.at_end()) break;
                moves_.push_back(walk.next_move());
            }
        });
    }

    const std::vector<std::uint64_t>& keys() const { return keys_; }
    const std::vector<chess::Move>& moves() const { return moves_; }
    AnyPosition position(std::size_t ply) const {
        AnyPosition position = kept_[ply / kPliesBetween];
        for (std::size_t i = ply - ply % kPliesBetween; i < ply; ++i) position.play(moves_[i]);
        return position;
    }

  private:
    static constexpr std::size_t kPliesBetween = 32;

    std::vector<std::uint64_t> keys_;
    std::vector<chess::Move> moves_;
    std::vector<AnyPosition> kept_;
};

NoveltyMove named_move(const AnyPosition& position, chess::Move move, chess::Variant variant) {
    return {chess::to_san(position, move), chess::to_uci(position, move, variant), {}};
}

void sort_by_games(std::vector<NoveltyMove>& moves) {
    std::ranges::stable_sort(
        moves, [](const auto& a, const auto& b) { return a.tally.games > b.tally.games; });
}

std::string identity_text(const store::StoredGame& game) {
    return store::text_of_players(store::tag_of(game, "White"), store::tag_of(game, "Black")) +
           store::text_of_moves(game.moves.facts, game.moves.start, game.moves.moves);
}

}  // namespace

void add_verdicts(Evaluations& evaluations, Novelty& novelty) {
    if (!novelty.known || evaluations.empty()) return;
    KnownPosition& known = *novelty.known;
    const auto add_to = [&](NoveltyMove& move) {
        move.verdict = evaluations.verdict_after(known.position, move.san);
    };
    evaluations.together([&] {
        known.verdict = evaluations.verdict(known.position);
        for (NoveltyMove& move : known.played) add_to(move);
        if (novelty.move) add_to(*novelty.move);
    });
}

Novelty joined_novelty(std::span<const Novelty> answers) {
    Novelty out;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const std::optional<KnownPosition>& known = answers[i].known;
        if (!known || (out.known && out.known->ply > known->ply)) continue;
        if (!out.known || out.known->ply < known->ply) {
            out = answers[i];
            out.known->database = i;
            continue;
        }
        if (known->total.last_date > out.known->total.last_date) {
            out.known->last = known->last;
            out.known->database = i;
        }
        out.known->total.add(known->total);
        out.known->ended += known->ended;
        for (const NoveltyMove& move : known->played) {
            const auto same = std::ranges::find(out.known->played, move.uci, &NoveltyMove::uci);
            if (same == out.known->played.end()) {
                out.known->played.push_back(move);
            } else {
                same->tally.add(move.tally);
            }
        }
    }
    if (out.known) sort_by_games(out.known->played);
    return out;
}

/// Returns the games that are identical to the given one and would count otherwise. Such games end
/// in its last position.
std::vector<GameId> NoveltyFinder::identical_games(const store::StoredGame& game,
                                                   std::uint64_t last_key, const Earlier& earlier,
                                                   const std::stop_token& stop) {
    const codec::GameFacts& facts = game.moves.facts;
    if (!store::can_be_compared(facts)) return {};
    // The same names have the same words.
    Earlier ends = earlier;
    const auto narrow = [&](std::string& words, std::string_view tag) {
        if (words.empty()) words = base::fold(store::tag_of(game, tag));
    };
    narrow(ends.filter.white, "White");
    narrow(ends.filter.black, "Black");
    const std::vector<GameId> games =
        reader_.engine().earlier_ends(last_key, facts.plies, ends, stop);
    const std::string text = identity_text(game);
    std::vector<GameId> out;
    reader_.games(games, [&](GameId id, const store::StoredGame& stored) {
        if (identity_text(stored) == text) out.push_back(id);
    });
    return out;
}

bool NoveltyFinder::counts(GameId game, const Earlier& earlier) const {
    if (std::ranges::binary_search(earlier.except, game)) return false;
    return earlier.before.year() == 0 ||
           codec::is_certainly_before(reader_.facts(game).date, earlier.before);
}

/// Returns the index of the last of the keys that a game which counts may have.
std::optional<std::size_t> NoveltyFinder::last_known(std::span<const std::uint64_t> keys,
                                                     const Earlier& earlier,
                                                     const std::stop_token& stop) {
    const std::optional<std::size_t> last = reader_.engine().last_reached(keys, earlier, stop);
    if (!variations_) return last;
    for (std::size_t i = keys.size(); i-- > (last ? *last + 1 : 0);) {
        if (has_variations(keys[i], earlier, stop)) return i;
    }
    return last;
}

/// Returns whether a game that counts may have the key in a variation.
bool NoveltyFinder::has_variations(std::uint64_t key, const Earlier& earlier,
                                   const std::stop_token& stop) {
    constexpr std::size_t kListedAtOnce = 1024;
    const store::Engine::Target targets[] = {{key}};
    GameId after = 0;
    for (bool more = true; more;) {
        const std::vector<GameId> games =
            reader_.engine().in_variations(targets, earlier.filter, after, kListedAtOnce, stop);
        for (const GameId game : games) {
            if (counts(game, earlier)) return true;
        }
        more = games.size() == kListedAtOnce;
        if (more) after = games.back();
    }
    return false;
}

/// Returns the sums of the games that count and reached a position. The game in `recent` was
/// replayed to it.
store::Engine::Tree NoveltyFinder::tree_of(const Question& question, Earlier earlier,
                                           const std::stop_token& stop) {
    const std::uint64_t key = question.targets.front().key;
    Hit hit;
    while (true) {
        Tree tree = reader_.engine().earlier_tree(key, earlier, stop);
        if (tree.recent.empty() || search_.find_in(question, tree.recent.front().game, hit)) {
            if (variations_) add_variations_of(question, earlier, tree, stop);
            return tree;
        }
        // It has another position with this key.
        earlier.except.push_back(tree.recent.front().game);
        std::ranges::sort(earlier.except);
    }
}

/// Adds what the variations of games that count did with a position.
void NoveltyFinder::add_variations_of(const Question& question, const Earlier& earlier, Tree& tree,
                                      const std::stop_token& stop) {
    add_variations(
        reader_, search_, question, tree, [&](GameId game) { return counts(game, earlier); },
        [&](GameId game, const codec::GameFacts& facts) {
            const store::RankedGame other{static_cast<std::uint32_t>(codec::rank_by_date(facts)),
                                          game};
            for (const store::Engine::NamedGame& each : tree.recent) {
                const store::RankedGame known{static_cast<std::uint32_t>(each.rank), each.game};
                if (!(other < known)) return;
            }
            tree.recent = {{game, codec::kGameEndsHere, other.rank}};
        },
        stop);
}

namespace {

KnownPosition known_position(const AnyPosition& position, chess::Variant variant,
                             const store::Engine::Tree& tree) {
    KnownPosition known;
    known.position = position;
    known.total = tree.total;
    known.last = tree.recent.front().game;
    for (const store::Engine::PlayedMove& each : tree.moves) {
        if (each.next == codec::kGameEndsHere) {
            known.ended = each.tally.games;
            continue;
        }
        if (!can_be_played(position, each.next)) throw_cannot_be_played(position);
        known.played.push_back(named_move(position, each.next, variant));
        known.played.back().tally = each.tally;
    }
    sort_by_games(known.played);
    return known;
}

}  // namespace

Novelty NoveltyFinder::find(const store::StoredGame& game, codec::Date date,
                            const std::stop_token& stop) {
    Novelty out;
    const LineRequest line(game.moves);
    const std::span<const std::uint64_t> keys = line.keys();
    if (keys.empty()) return out;
    Earlier earlier{matcher_.filter(), date};
    earlier.except = identical_games(game, keys.back(), earlier, stop);
    const chess::Variant variant = game.moves.facts.variant;
    std::optional<std::size_t> known = last_known(keys, earlier, stop);
    for (; known; known = last_known(keys.first(*known), earlier, stop)) {
        const std::size_t ply = *known;
        const AnyPosition position = line.position(ply);
        const Tree tree = tree_of(Question::of(position), earlier, stop);
        if (tree.recent.empty()) continue;
        out.known = known_position(position, variant, tree);
        out.known->ply = static_cast<std::uint32_t>(ply);
        if (ply != line.moves().size()) out.move = named_move(position, line.moves()[ply], variant);
        break;
    }
    return out;
}

}  // namespace fendex::query
