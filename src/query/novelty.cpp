#include "query/novelty.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "chess/san.hpp"
#include "query/played_move.hpp"
#include "replay/stored_walk.hpp"
#include "store/game_identity.hpp"

namespace fendex::query {

namespace {

using chess::AnyPosition;
using replay::Occurrence;
using store::Candidate;
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

bool is_certainly_before(codec::Date date, codec::Date other) {
    return date.year() != 0 && other.year() != 0 && date.last_day() < other.first_day();
}

void add_verdicts(Evaluations& evaluations, Novelty& novelty) {
    if (!novelty.known || evaluations.empty()) return;
    KnownPosition& known = *novelty.known;
    const auto add_to = [&](NoveltyMove& move) {
        move.verdict = evaluations.verdict_after(known.position, move.san);
    };
    known.verdict = evaluations.verdict(known.position);
    for (NoveltyMove& move : known.played) add_to(move);
    if (novelty.move) add_to(*novelty.move);
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

bool NoveltyFinder::counts(GameId game) const {
    if (std::ranges::binary_search(identical_, game)) return false;
    return date_.year() == 0 || is_certainly_before(reader_.facts(game).date, date_);
}

/// Returns whether the sums of the store may include games that count. A date with unknown parts is
/// a lower bound of the days that it allows.
bool NoveltyFinder::has_early_sums(const store::PositionOverview& overview) const {
    return std::ranges::any_of(overview.sums, [&](const store::PositionSums& sums) {
        return date_.year() == 0 ||
               (sums.total.last_date != 0 && sums.total.first_date < date_.first_day());
    });
}

/// Returns whether games that count may have reached the position.
bool NoveltyFinder::may_be_known(const store::PositionOverview& overview) const {
    return has_early_sums(overview) ||
           std::ranges::any_of(overview.candidates,
                               [&](const Candidate& each) { return counts(each.game); });
}

/// Returns the occurrences in games that count.
std::vector<Occurrence> NoveltyFinder::earlier_games(std::uint64_t key,
                                                     const store::PositionOverview& overview,
                                                     base::StopCheck& stop) {
    replay::OccurrenceReader occurrences(reader_);
    std::vector<Occurrence> out;
    const auto add = [&](std::span<const Candidate> candidates) {
        counted_.clear();
        std::ranges::copy_if(candidates, std::back_inserter(counted_), [&](const Candidate& each) {
            stop();
            return counts(each.game);
        });
        occurrences.append({key}, counted_, std::ref(matcher_), out, stop);
    };
    if (has_early_sums(overview)) {
        reader_.for_each_candidate_group(key, add);
    } else {
        add(overview.candidates);
    }
    return out;
}

/// Returns the games that are identical to the given one and would count otherwise. Such games end
/// in its last position.
std::vector<GameId> NoveltyFinder::identical_games(const store::StoredGame& game,
                                                   std::uint64_t last_key, base::StopCheck& stop) {
    const codec::GameFacts& facts = game.moves.facts;
    if (!store::can_be_compared(facts)) return {};
    const std::string text = identity_text(game);
    std::vector<GameId> out;
    store::StoredGame stored;
    reader_.for_each_candidate_group(last_key, [&](std::span<const Candidate> candidates) {
        for (const Candidate& each : candidates) {
            stop();
            if (each.ply && (each.ply != facts.plies || each.next != codec::kGameEndsHere)) {
                continue;
            }
            if (reader_.facts(each.game).plies == facts.plies && counts(each.game) &&
                reader_.game(each.game, stored) && identity_text(stored) == text) {
                out.push_back(each.game);
            }
        }
    });
    std::ranges::sort(out);
    return out;
}

/// Returns the games that count and may have the key in a variation.
std::vector<GameId> NoveltyFinder::varied_games(std::uint64_t key, base::StopCheck& stop) {
    if (!variations_ || variations_->empty()) return {};
    std::vector<GameId> games = reader_.games_with_variations(key);
    std::erase_if(games, [&](GameId game) {
        stop();
        return !counts(game) || !matcher_(game);
    });
    return games;
}

/// Adds what the variations of these games, and of those that reached the position themselves, did
/// with it.
void NoveltyFinder::add_variations(const Question& question, std::vector<GameId> games,
                                   Reached& reached, base::StopCheck& stop) {
    if (!variations_ || variations_->empty()) return;
    for (const Occurrence& each : reached.occurrences) games.push_back(each.game);
    std::ranges::sort(games);
    games.erase(std::unique(games.begin(), games.end()), games.end());
    variations_->read(
        games, question.targets.front(),
        [&](GameId game, const store::StoredMoves&, const VariationMoves& variations) {
            if (variations.reached != 0) reached.in_variations.push_back(game);
            for (const auto& [bits, times] : variations.moves) {
                reached.occurrences.push_back({game, chess::Move::from_bits(bits)});
            }
        },
        stop);
}

/// Returns the latest game that reached the position, verified by replaying it. Removes games that
/// did not reach it.
std::optional<GameId> NoveltyFinder::last_game(const Question& question, Reached& reached) {
    Hit hit;
    while (!reached.empty()) {
        GameId latest = 0;
        std::tuple<std::uint64_t, GameId> highest;
        const auto consider = [&](GameId game) {
            const auto rank = std::tuple(codec::rank_by_date(reader_.facts(game)), ~game);
            if (latest != 0 && rank < highest) return;
            latest = game;
            highest = rank;
        };
        for (const Occurrence& each : reached.occurrences) consider(each.game);
        for (const GameId game : reached.in_variations) consider(game);
        if (std::ranges::binary_search(reached.in_variations, latest) ||
            search_.find_in(question, latest, hit)) {
            return latest;
        }
        std::erase_if(reached.occurrences, [&](const auto& each) { return each.game == latest; });
    }
    return std::nullopt;
}

KnownPosition NoveltyFinder::known_position(const AnyPosition& position, chess::Variant variant,
                                            Reached& reached) const {
    KnownPosition known;
    known.position = position;
    std::ranges::sort(reached.occurrences, {},
                      [](const auto& each) { return std::pair(each.game, each.next.bits()); });
    std::map<std::uint16_t, codec::Tally> moves;
    const Occurrence* before = nullptr;
    for (const Occurrence& each : reached.occurrences) {
        const bool same_game = before != nullptr && before->game == each.game;
        codec::Tally& of_move = moves[each.next.bits()];
        const codec::GameFacts facts = reader_.facts(each.game);
        if (!same_game) known.total.add_game(facts);
        if (!same_game || before->next != each.next) of_move.add_game(facts);
        before = &each;
    }
    for (const GameId game : reached.in_variations) {
        const auto played =
            std::ranges::lower_bound(reached.occurrences, game, {}, &Occurrence::game);
        if (played == reached.occurrences.end() || played->game != game) {
            known.total.add_game(reader_.facts(game));
        }
    }
    for (const auto& [bits, tally] : moves) {
        const chess::Move move = chess::Move::from_bits(bits);
        if (move == codec::kGameEndsHere) {
            known.ended = tally.games;
            continue;
        }
        if (!can_be_played(position, move)) throw_cannot_be_played(position);
        known.played.push_back(named_move(position, move, variant));
        known.played.back().tally = tally;
    }
    sort_by_games(known.played);
    return known;
}

Novelty NoveltyFinder::find(const store::StoredGame& game, codec::Date date, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    Novelty out;
    const LineRequest line(game.moves);
    if (line.keys().empty()) return out;
    date_ = date;
    identical_.clear();
    identical_ = identical_games(game, line.keys().back(), check);
    const chess::Variant variant = game.moves.facts.variant;
    for (std::size_t ply = line.keys().size(); ply-- > 0;) {
        check();
        const auto overview = overview_of_position(reader_, line.keys()[ply]);
        const bool in_games = may_be_known(*overview);
        std::vector<GameId> varied = varied_games(line.keys()[ply], check);
        if (!in_games && varied.empty()) continue;
        const AnyPosition position = line.position(ply);
        const Question question = Question::of(position);
        Reached reached;
        if (in_games) reached.occurrences = earlier_games(line.keys()[ply], *overview, check);
        add_variations(question, std::move(varied), reached, check);
        const std::optional<GameId> last = last_game(question, reached);
        if (!last) continue;
        out.known = known_position(position, variant, reached);
        out.known->ply = static_cast<std::uint32_t>(ply);
        out.known->last = *last;
        if (ply != line.moves().size()) out.move = named_move(position, line.moves()[ply], variant);
        break;
    }
    return out;
}

}  // namespace fendex::query
