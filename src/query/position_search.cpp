#include "query/position_search.hpp"

#include <algorithm>

#include "replay/stored_walk.hpp"
#include "replay/variation_walk.hpp"

namespace fendex::query {

namespace {

using store::Candidate;
using store::GameId;

/// Returns whether a position of either kind matches.
template <typename Position>
bool matches(const Question::Answer& answer, const Position& position) {
    return position.key() == answer.key &&
           (!answer.position || answer.position->same_as(chess::AnyPosition(position)));
}

[[noreturn]] void throw_no_game(GameId game) {
    throw store::StoreError(store::StoreError::kDamaged,
                            "damaged database: no game " + std::to_string(game));
}

/// Replays a game to its `last` ply of interest, or to its end, and fills `hit`. False for a game
/// that never reached the position.
bool replay(std::span<const Question::Answer* const> answers, GameId game,
            const store::StoredMoves& moves, std::optional<std::uint32_t> last, Hit& hit) {
    hit.game = game;
    hit.plies.clear();
    hit.line.clear();
    hit.variant = moves.facts.variant;
    replay::with_walk(game, moves, [&](auto& walk) {
        while (true) {
            const auto found = [&](const Question::Answer* a) {
                return matches(*a, walk.position());
            };
            if (std::any_of(answers.begin(), answers.end(), found)) {
                if (hit.plies.empty()) {
                    hit.position = walk.position();
                    hit.next = walk.at_end() ? std::nullopt : std::optional(walk.next_move());
                }
                hit.plies.push_back(walk.ply());
            }
            if (walk.at_end() || walk.ply() == last) break;
            walk.advance();
        }
    });
    return !hit.plies.empty();
}

/// Games read at once. A few at first: who asks for one hit does not wait for many.
constexpr std::size_t kMostGamesAtOnce = 64;

}  // namespace

/// The candidates of several keys, game by game.
class GamesInOrder {
  public:
    GamesInOrder(store::StoreReader& reader, const Question& question,
                 const store::GameFilter& only) {
        for (const Question::Answer& answer : question.answers) {
            Stream stream{&answer, reader.candidates(answer.key, only), {}};
            if (stream.cursor->next(stream.front)) streams_.push_back(std::move(stream));
        }
    }

    /// Which answers have candidates in the next game, and the last ply of them (empty: anywhere).
    bool next(GameId& game, std::vector<const Question::Answer*>& answers,
              std::optional<std::uint32_t>& last) {
        if (streams_.empty()) return false;
        game = std::min_element(streams_.begin(), streams_.end(), [](const auto& a, const auto& b) {
                   return a.front.game < b.front.game;
               })->front.game;
        answers.clear();
        last = 0;
        for (std::size_t i = 0; i < streams_.size();) {
            Stream& stream = streams_[i];
            bool more = true;
            if (stream.front.game == game) answers.push_back(stream.answer);
            while (more && stream.front.game == game) {
                last = last && stream.front.ply ? std::optional(std::max(*last, *stream.front.ply))
                                                : std::nullopt;
                more = stream.cursor->next(stream.front);
            }
            if (more) {
                ++i;
            } else {
                streams_.erase(streams_.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        return true;
    }

  private:
    struct Stream {
        const Question::Answer* answer;
        std::unique_ptr<store::CandidateCursor> cursor;
        Candidate front;
    };
    std::vector<Stream> streams_;
};

Question Question::of(const chess::AnyPosition& position, Match match) {
    Question question;
    for (const Target& target : targets_of(position, match)) {
        question.answers.push_back({target.position.key(), target.position, target.mirrored});
    }
    return question;
}

bool PositionSearch::read_and_replay(std::span<const Question::Answer* const> answers, GameId game,
                                     Hit& hit) {
    if (!reader_.moves(game, moves_)) throw_no_game(game);
    return replay(answers, game, moves_, std::nullopt, hit);
}

void PositionSearch::find(const Question& question, const std::function<bool(const Hit&)>& visit,
                          std::stop_token stop) {
    HitCursor hits(*this, question, std::move(stop));
    while (hits.next(hit_)) {
        if (!visit(hit_)) return;
    }
}

HitCursor::HitCursor(PositionSearch& search, Question question, std::stop_token stop)
    : search_(search),
      question_(std::move(question)),
      games_(std::make_unique<GamesInOrder>(search.reader_, question_, search.matcher_.filter())),
      stop_(std::move(stop)) {}

HitCursor::~HitCursor() = default;

bool HitCursor::next(Hit& out) {
    while (next_ == found_) {
        if (failure_) std::rethrow_exception(failure_);
        choose_games();
        if (ids_.empty()) return false;
        replay_games();
    }
    std::swap(out, hits_[next_++]);
    return true;
}

void HitCursor::choose_games() {
    ids_.clear();
    wanted_.resize(batch_);
    GameId game = 0;
    for (Wanted* next = wanted_.data();
         ids_.size() < batch_ && games_->next(game, next->answers, next->last);) {
        stop_();
        if (!search_.matcher_(game)) continue;
        ids_.push_back(game);
        ++next;
    }
    batch_ = std::min(2 * batch_, kMostGamesAtOnce);
}

/// The hits before a game that cannot be replayed are handed out before it is reported.
void HitCursor::replay_games() {
    hits_.resize(std::max(hits_.size(), ids_.size()));
    found_ = next_ = 0;
    std::size_t place = 0;
    try {
        search_.reader_.moves(ids_, [&](GameId game, const store::StoredMoves& moves) {
            if (game != ids_[place]) throw_no_game(ids_[place]);
            const Wanted& wanted = wanted_[place++];
            if (replay(wanted.answers, game, moves, wanted.last, hits_[found_])) ++found_;
        });
        if (place != ids_.size()) throw_no_game(ids_[place]);
    } catch (...) {
        failure_ = std::current_exception();
    }
}

namespace {

/// The nodes that match; the move played from one is told behind it.
class NodeMatcher final : public replay::VariationVisitor {
  public:
    NodeMatcher(const Question& question, GameId game, chess::Variant variant)
        : question_(question), game_(game), variant_(variant) {}

    void node(const replay::VariationNode& node) override {
        const auto found = [&](const Question::Answer& a) { return matches(a, node.position); };
        if (!std::any_of(question_.answers.begin(), question_.answers.end(), found)) return;
        numbers_.push_back(node.number);
        hits_.push_back({game_, {node.ply}, variant_, node.position, std::nullopt, node.line});
    }
    void next(std::uint32_t node, chess::Move move) override {
        const auto known = std::lower_bound(numbers_.begin(), numbers_.end(), node);
        if (known == numbers_.end() || *known != node) return;
        hits_[static_cast<std::size_t>(known - numbers_.begin())].next = move;
    }
    std::vector<Hit> take() { return std::move(hits_); }

  private:
    const Question& question_;
    GameId game_;
    chess::Variant variant_;
    std::vector<std::uint32_t> numbers_;  // of the hits
    std::vector<Hit> hits_;
};

}  // namespace

std::vector<GameId> PositionSearch::games_with_variations(const Question& question) {
    std::vector<GameId> games;
    for (const Question::Answer& answer : question.answers) {
        const std::vector<GameId> found = reader_.games_with_variations(answer.key);
        games.insert(games.end(), found.begin(), found.end());
    }
    std::sort(games.begin(), games.end());
    games.erase(std::unique(games.begin(), games.end()), games.end());
    return games;
}

std::vector<Hit> PositionSearch::variation_hits(const Question& question, GameId game) {
    if (!matcher_(game) || !reader_.moves(game, moves_) || !reader_.annotation(game, annotation_)) {
        return {};
    }
    NodeMatcher matcher(question, game, moves_.facts.variant);
    replay::walk_variations(game, moves_, annotation_, true, matcher);
    return matcher.take();
}

void PositionSearch::find_with_variations(const Question& question,
                                          const std::function<bool(const Hit&)>& visit,
                                          std::stop_token stop) {
    VariationHitCursor hits(*this, question, std::move(stop));
    Hit hit;
    while (hits.next(hit)) {
        if (!visit(hit)) return;
    }
}

VariationHitCursor::VariationHitCursor(PositionSearch& search, Question question,
                                       std::stop_token stop)
    : search_(search),
      question_(std::move(question)),
      in_games_(search, question_, stop),
      stop_(std::move(stop)),
      games_(search.games_with_variations(question_)) {
    std::reverse(games_.begin(), games_.end());
    if (!in_games_.next(in_game_.emplace())) in_game_.reset();
}

bool VariationHitCursor::next(Hit& out) {
    while (in_variations_.empty()) {
        // A game's own hit comes before those in its variations.
        if (in_game_ && (games_.empty() || in_game_->game <= games_.back())) {
            out = std::move(*in_game_);
            if (!in_games_.next(in_game_.emplace())) in_game_.reset();
            return true;
        }
        if (games_.empty()) return false;
        stop_();
        in_variations_ = search_.variation_hits(question_, games_.back());
        std::reverse(in_variations_.begin(), in_variations_.end());
        games_.pop_back();
    }
    out = std::move(in_variations_.back());
    in_variations_.pop_back();
    return true;
}

bool PositionSearch::find_in(const Question& question, GameId game, Hit& out) {
    std::vector<const Question::Answer*> answers;
    for (const Question::Answer& answer : question.answers) answers.push_back(&answer);
    return read_and_replay(answers, game, out);
}

Count PositionSearch::count(const Question& question, bool verify, std::stop_token stop) {
    Count count;
    if (verify) {
        const auto add = [&](const Hit& hit) {
            ++count.games;
            count.occurrences += hit.plies.size();
            return true;
        };
        find(question, add, std::move(stop));
        return count;
    }
    std::vector<Visit> found;
    if (sums_suffice(question)) {
        const Question::Answer& answer = question.answers.front();
        const store::PositionOverview overview = reader_.overview(answer.key);
        for (const store::PositionSums& sums : overview.sums) {
            count.games += sums.total.games;
            count.occurrences += sums.total.occurrences;
        }
        base::StopCheck check(std::move(stop));
        append_visits(answer, overview.candidates, found, check);
    } else {
        found = visits(question, std::move(stop));
    }
    count.occurrences += found.size();
    const auto earlier = [](const Visit& a, const Visit& b) { return a.game < b.game; };
    std::sort(found.begin(), found.end(), earlier);
    const auto same = [](const Visit& a, const Visit& b) { return a.game == b.game; };
    count.games +=
        static_cast<std::uint64_t>(std::unique(found.begin(), found.end(), same) - found.begin());
    return count;
}

void PositionSearch::append_visits(const Question::Answer& answer,
                                   std::span<const Candidate> candidates, std::vector<Visit>& out,
                                   base::StopCheck& stop) {
    const Question::Answer* const answers[]{&answer};
    for (const Candidate& candidate : candidates) {
        stop();
        if (!matcher_(candidate.game)) continue;
        if (candidate.ply) {
            out.push_back({candidate.game, candidate.next, answer.mirrored});
        } else if (read_and_replay(answers, candidate.game, hit_)) {
            out.push_back(
                {candidate.game, hit_.next.value_or(codec::kGameEndsHere), answer.mirrored});
        }
    }
}

std::vector<Visit> PositionSearch::visits(const Question& question, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    std::vector<Visit> out;
    for (const Question::Answer& answer : question.answers) {
        reader_.for_each_candidate_group(answer.key, matcher_.filter(),
                                         [&](std::span<const Candidate> candidates) {
                                             append_visits(answer, candidates, out, check);
                                         });
    }
    return out;
}

}  // namespace fendex::query
