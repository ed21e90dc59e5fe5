#include "query/position_search.hpp"

#include <algorithm>

#include "replay/stored_walk.hpp"
#include "replay/variation_walk.hpp"

namespace fendex::query {

namespace {

using store::Candidate;
using store::GameId;

/// Returns whether a position (standard or variant) matches.
template <typename Position>
bool matches(const Question::Target& target, const Position& position) {
    return position.key() == target.key &&
           (!target.position || target.position->same_as(chess::AnyPosition(position)));
}

/// Replays a game up to ply `last`, or to its end if `last` is empty, and fills `hit`. With `once`,
/// stops at the first ply that matches. Returns false if no position matches.
bool replay(std::span<const Question::Target* const> targets, GameId game,
            const store::StoredMoves& moves, std::optional<std::uint32_t> last, bool once,
            Hit& hit) {
    hit.game = game;
    hit.plies.clear();
    hit.line.clear();
    hit.variant = moves.facts.variant;
    replay::with_walk(game, moves, [&](auto& walk) {
        while (true) {
            const auto found = [&](const Question::Target* a) {
                return matches(*a, walk.position());
            };
            if (std::any_of(targets.begin(), targets.end(), found)) {
                if (hit.plies.empty()) {
                    hit.position = walk.position();
                    hit.next = walk.at_end() ? std::nullopt : std::optional(walk.next_move());
                }
                hit.plies.push_back(walk.ply());
            }
            if (walk.at_end() || walk.ply() == last || (once && !hit.plies.empty())) break;
            walk.advance();
        }
    });
    return !hit.plies.empty();
}

/// The number of games that an engine lists at once. The first list is shorter, so that the first
/// hit comes soon.
constexpr std::size_t kFirstGamesListed = 64;
constexpr std::size_t kMostGamesListed = 32 * 1024;
/// The number of games whose variations are read at once if the reader has an engine.
constexpr std::size_t kVariationsAtOnce = 128;

}  // namespace

/// The games that an engine lists, in the order of ids.
class ReachedGames {
  public:
    ReachedGames(store::Engine& engine, const Question& question, const store::GameFilter& filter,
                 GameId after, std::stop_token stop)
        : engine_(engine),
          keys_(question.keys()),
          filter_(filter),
          after_(after),
          stop_(std::move(stop)) {}

    bool next(GameId& game, std::optional<std::uint32_t>& last_ply) {
        if (next_ == listed_.size()) {
            if (is_last_) return false;
            listed_ = engine_.reached(keys_, filter_, GameOrder::kId, RankedGame{0, after_}, most_,
                                      stop_);
            next_ = 0;
            is_last_ = listed_.size() < most_;
            most_ = std::min(8 * most_, kMostGamesListed);
            if (listed_.empty()) return false;
            after_ = listed_.back().game.game;
        }
        game = listed_[next_].game.game;
        last_ply = listed_[next_].last_ply;
        ++next_;
        return true;
    }

  private:
    store::Engine& engine_;
    std::vector<store::Engine::Target> keys_;
    const store::GameFilter& filter_;
    GameId after_;
    std::stop_token stop_;
    std::vector<store::Engine::Reached> listed_;
    std::size_t next_ = 0;
    std::size_t most_ = kFirstGamesListed;
    bool is_last_ = false;
};

/// The candidates of several keys, game by game.
class GamesInOrder {
  public:
    GamesInOrder(store::StoreReader& reader, const Question& question,
                 const store::GameFilter& only) {
        for (const Question::Target& target : question.targets) {
            Stream stream{&target, reader.candidates(target.key, only), {}};
            if (stream.cursor->next(stream.front)) streams_.push_back(std::move(stream));
        }
    }

    /// Goes to the next game; returns false after the last one. `targets` become those with
    /// candidates in the game. `last` becomes the last ply of these candidates, or empty if it is
    /// not known.
    bool next(GameId& game, std::vector<const Question::Target*>& targets,
              std::optional<std::uint32_t>& last) {
        if (streams_.empty()) return false;
        game = std::min_element(streams_.begin(), streams_.end(), [](const auto& a, const auto& b) {
                   return a.front.game < b.front.game;
               })->front.game;
        targets.clear();
        last = 0;
        for (std::size_t i = 0; i < streams_.size();) {
            Stream& stream = streams_[i];
            bool more = true;
            if (stream.front.game == game) targets.push_back(stream.target);
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
        const Question::Target* target;
        std::unique_ptr<store::CandidateCursor> cursor;
        Candidate front;
    };
    std::vector<Stream> streams_;
};

std::vector<std::uint32_t> fitting(const GameSet& games, GameMatcher& matcher) {
    constexpr std::uint64_t kFew = 100;
    if (games.size() > kFew) return (games & matcher.games()).numbers();
    std::vector<std::uint32_t> out = games.numbers();
    std::erase_if(out, [&](std::uint32_t game) { return !matcher(game); });
    return out;
}

std::vector<Candidate> candidates_of(const PositionGames& games) {
    std::vector<Candidate> out;
    for (const GameId game : games.unverified) out.push_back({game, std::nullopt, {}});
    return out;
}

std::shared_ptr<const PositionGames> PositionSearch::position_games(const Question& question,
                                                                    base::StopCheck& stop) {
    if (question.targets.size() != 1 || question.targets.front().mirrored) return nullptr;
    return games_of_position(reader_, question.targets.front().key, stop);
}

bool PositionSearch::knows_games(const Question& question) {
    return question.targets.size() == 1 && !question.targets.front().mirrored &&
           known_games_of_position(reader_, question.targets.front().key) != nullptr;
}

Question Question::of(const chess::AnyPosition& position, Match match) {
    Question question;
    for (const MatchingPosition& each : matching_positions(position, match)) {
        question.targets.push_back({each.position.key(), each.position, each.mirrored});
    }
    return question;
}

std::vector<store::Engine::Target> Question::keys() const {
    std::vector<store::Engine::Target> keys;
    keys.reserve(targets.size());
    for (const Target& target : targets) keys.push_back({target.key, target.mirrored});
    return keys;
}

bool PositionSearch::read_and_replay(std::span<const Question::Target* const> targets, GameId game,
                                     Hit& hit) {
    if (!reader_.moves(game, moves_)) store::throw_no_game(game);
    return replay(targets, game, moves_, std::nullopt, false, hit);
}

void PositionSearch::find(const Question& question, const std::function<bool(const Hit&)>& visit,
                          std::stop_token stop) {
    HitCursor hits(*this, question, std::move(stop));
    while (hits.next(hit_)) {
        if (!visit(hit_)) return;
    }
}

HitCursor::HitCursor(PositionSearch& search, Question question, std::stop_token stop, GameId after)
    : search_(search),
      question_(std::move(question)),
      after_(after),
      stop_(stop),
      batch_(search.reader_.games_at_once().first),
      most_at_once_(search.reader_.games_at_once().most) {
    if (store::Engine* const engine = search.reader_.engine()) {
        reached_ = std::make_unique<ReachedGames>(*engine, question_, search.matcher_.filter(),
                                                  after_, std::move(stop));
    } else if (search_.knows_games(question_)) {
        use_sets(after_);
    } else {
        games_ =
            std::make_unique<GamesInOrder>(search.reader_, question_, search.matcher_.filter());
    }
}

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

/// Chooses the next game that fits. Returns false after the last one.
bool HitCursor::next_game(GameId& game, Wanted& wanted) {
    constexpr unsigned kMostMisfits = 1000;
    if (reached_) {
        stop_();
        wanted.targets.clear();
        for (const Question::Target& target : question_.targets) wanted.targets.push_back(&target);
        return reached_->next(game, wanted.last);
    }
    while (!sets_ && games_->next(game, wanted.targets, wanted.last)) {
        stop_();
        if (game <= after_) continue;
        if (search_.matcher_(game)) return true;
        if (++misfits_ >= kMostMisfits) use_sets(game);
    }
    if (fitting_.empty()) return false;
    stop_();
    game = fitting_.back();
    fitting_.pop_back();
    wanted.targets.assign(1, &question_.targets.front());
    wanted.last.reset();
    wanted.once = !sets_->repeated.contains(game);
    return true;
}

/// Switches to the intersection of the games of the position with those that fit. This is faster
/// than testing many candidates that do not fit. Does nothing if position_games() returns null.
void HitCursor::use_sets(GameId after) {
    misfits_ = 0;
    sets_ = search_.position_games(question_, stop_);
    if (!sets_) return;
    GameMatcher& matcher = search_.matcher_;
    fitting_ = (sets_->all & matcher.games()).numbers();
    for (const GameId game : sets_->unverified) {
        if (matcher(game)) fitting_.push_back(static_cast<std::uint32_t>(game));
    }
    std::erase_if(fitting_, [&](std::uint32_t game) { return game <= after; });
    std::sort(fitting_.begin(), fitting_.end(), std::greater());
    fitting_.erase(std::unique(fitting_.begin(), fitting_.end()), fitting_.end());
}

void HitCursor::choose_games() {
    ids_.clear();
    wanted_.resize(batch_);
    GameId game = 0;
    while (ids_.size() < batch_ && next_game(game, wanted_[ids_.size()])) ids_.push_back(game);
    batch_ = std::min(2 * batch_, most_at_once_);
}

/// If a game cannot be replayed, next() returns the hits before it and then throws the failure.
void HitCursor::replay_games() {
    hits_.resize(std::max(hits_.size(), ids_.size()));
    found_ = next_ = 0;
    std::size_t place = 0;
    try {
        search_.reader_.moves(ids_, [&](GameId game, const store::StoredMoves& moves) {
            if (game != ids_[place]) store::throw_no_game(ids_[place]);
            const Wanted& wanted = wanted_[place++];
            if (replay(wanted.targets, game, moves, wanted.last, wanted.once, hits_[found_])) {
                ++found_;
            }
        });
        if (place != ids_.size()) store::throw_no_game(ids_[place]);
    } catch (...) {
        failure_ = std::current_exception();
    }
}

namespace {

/// Collects the nodes that match. The move that was played from a node is known only later, when
/// next() is called.
class NodeMatcher final : public replay::VariationVisitor {
  public:
    NodeMatcher(const Question& question, GameId game, chess::Variant variant)
        : question_(question), game_(game), variant_(variant) {}

    void node(const replay::VariationNode& node) override {
        const auto found = [&](const Question::Target& a) { return matches(a, node.position); };
        if (!std::any_of(question_.targets.begin(), question_.targets.end(), found)) return;
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
    std::vector<std::uint32_t> numbers_;  // node numbers of the hits, ascending
    std::vector<Hit> hits_;
};

}  // namespace

std::vector<GameId> PositionSearch::games_with_variations(const Question& question) {
    std::vector<GameId> games;
    for (const Question::Target& target : question.targets) {
        const std::vector<GameId> found = reader_.games_with_variations(target.key);
        games.insert(games.end(), found.begin(), found.end());
    }
    std::sort(games.begin(), games.end());
    games.erase(std::unique(games.begin(), games.end()), games.end());
    return games;
}

std::vector<std::vector<Hit>> PositionSearch::variation_hits(const Question& question,
                                                             std::span<const GameId> games) {
    std::vector<std::vector<Hit>> hits(games.size());
    const auto place_of = [&](GameId game) {
        return static_cast<std::size_t>(std::find(games.begin(), games.end(), game) -
                                        games.begin());
    };
    std::vector<std::optional<store::StoredMoves>> moves(games.size());
    reader_.moves(games, [&](GameId game, const store::StoredMoves& stored) {
        moves[place_of(game)] = stored;
    });
    reader_.annotations(games, [&](GameId game, std::string_view annotation) {
        const std::size_t place = place_of(game);
        if (!moves[place]) return;
        NodeMatcher matcher(question, game, moves[place]->facts.variant);
        replay::walk_variations(game, *moves[place], annotation, true, matcher);
        hits[place] = matcher.take();
    });
    return hits;
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
      token_(std::move(stop)),
      stop_(token_) {
    if (search_.reader_.engine() == nullptr) {
        games_ = search_.games_with_variations(question_);
        std::reverse(games_.begin(), games_.end());
        all_listed_ = true;
    }
    if (!in_games_.next(in_game_.emplace())) in_game_.reset();
}

/// Lists the next games, and reads the hits in the variations of the first ones.
void VariationHitCursor::read_games() {
    store::Engine* const engine = search_.reader_.engine();
    if (games_.empty() && !all_listed_) {
        games_ = engine->in_variations(question_.keys(), search_.matcher_.filter(), last_listed_,
                                       kMostGamesListed, token_);
        all_listed_ = games_.size() < kMostGamesListed;
        if (!games_.empty()) last_listed_ = games_.back();
        std::reverse(games_.begin(), games_.end());
    }
    if (games_.empty() || !read_.empty()) return;
    const std::size_t count =
        engine == nullptr ? 1 : std::min<std::size_t>(games_.size(), kVariationsAtOnce);
    const std::vector<GameId> games(games_.rbegin(),
                                    games_.rbegin() + static_cast<std::ptrdiff_t>(count));
    if (engine == nullptr && !search_.matcher_(games.front())) {
        read_.resize(1);
    } else {
        read_ = search_.variation_hits(question_, games);
    }
    std::reverse(read_.begin(), read_.end());
}

bool VariationHitCursor::next(Hit& out) {
    while (in_variations_.empty()) {
        if (games_.empty()) read_games();
        // A game's own hit comes before those in its variations.
        if (in_game_ && (games_.empty() || in_game_->game <= games_.back())) {
            out = std::move(*in_game_);
            if (!in_games_.next(in_game_.emplace())) in_game_.reset();
            return true;
        }
        if (games_.empty()) return false;
        stop_();
        read_games();
        in_variations_ = std::move(read_.back());
        std::reverse(in_variations_.begin(), in_variations_.end());
        read_.pop_back();
        games_.pop_back();
    }
    out = std::move(in_variations_.back());
    in_variations_.pop_back();
    return true;
}

bool PositionSearch::find_in(const Question& question, GameId game, Hit& out) {
    std::vector<const Question::Target*> targets;
    for (const Question::Target& target : question.targets) targets.push_back(&target);
    return read_and_replay(targets, game, out);
}

void PositionSearch::find_in(const Question& question, std::span<const GameId> games,
                             const std::function<void(const Hit&)>& visit) {
    std::vector<const Question::Target*> targets;
    for (const Question::Target& target : question.targets) targets.push_back(&target);
    const std::size_t most = reader_.games_at_once().most;
    std::vector<Hit> hits;
    while (!games.empty()) {
        const auto some = games.first(std::min(games.size(), most));
        games = games.subspan(some.size());
        hits.clear();
        reader_.moves(some, [&](GameId game, const store::StoredMoves& moves) {
            if (replay(targets, game, moves, std::nullopt, false, hit_)) hits.push_back(hit_);
        });
        for (const Hit& hit : hits) visit(hit);
    }
}

std::vector<GameId> PositionSearch::possible_games(const Question& question, std::stop_token stop) {
    std::vector<GameId> games;
    base::StopCheck check(stop);
    if (const auto sets = position_games(question, check)) {
        const auto of_sets = fitting(sets->all, matcher_);
        games.assign(of_sets.begin(), of_sets.end());
        for (const GameId game : sets->unverified) {
            if (matcher_(game)) games.push_back(game);
        }
    } else {
        for (const Occurrence& each : occurrences(question, std::move(stop))) {
            games.push_back(each.game);
        }
    }
    std::sort(games.begin(), games.end());
    games.erase(std::unique(games.begin(), games.end()), games.end());
    return games;
}

std::vector<RankedGame> PositionSearch::ranked_games(const Question& question, GameOrder order,
                                                     std::size_t most, std::stop_token stop) {
    std::vector<RankedGame> ranked;
    if (store::Engine* const engine = reader_.engine()) {
        for (const auto& each : engine->reached(question.keys(), matcher_.filter(), order,
                                                std::nullopt, most, std::move(stop))) {
            ranked.push_back(each.game);
        }
        return ranked;
    }
    ranked = rank_games(reader_, order, possible_games(question, stop), stop);
    if (ranked.size() > most) ranked.resize(most);
    return ranked;
}

std::vector<std::uint64_t> PositionSearch::count_games(std::span<const Question> questions,
                                                       std::stop_token stop) {
    std::vector<std::uint64_t> games;
    games.reserve(questions.size());
    if (store::Engine* const engine = reader_.engine()) {
        std::vector<std::vector<store::Engine::Target>> keys;
        keys.reserve(questions.size());
        for (const Question& question : questions) keys.push_back(question.keys());
        for (const auto& counts : engine->counts(keys, matcher_.filter(), std::move(stop))) {
            games.push_back(counts.games);
        }
        return games;
    }
    for (const Question& question : questions) games.push_back(count(question, false, stop).games);
    return games;
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
    if (store::Engine* const engine = reader_.engine()) {
        const std::vector<std::vector<store::Engine::Target>> keys{question.keys()};
        const auto counts = engine->counts(keys, matcher_.filter(), std::move(stop));
        return {counts.front().games, counts.front().occurrences};
    }
    std::vector<Occurrence> found;
    if (sums_suffice(question)) {
        const Question::Target& target = question.targets.front();
        const auto overview = overview_of_position(reader_, target.key);
        for (const store::PositionSums& sums : overview->sums) {
            count.games += sums.total.games;
            count.occurrences += sums.total.occurrences;
        }
        base::StopCheck check(std::move(stop));
        append_occurrences(target, overview->candidates, found, check);
    } else if (base::StopCheck check(stop); const auto position = position_games(question, check)) {
        for (const PositionGames::Group& group : position->groups) {
            const std::size_t games = fitting(group.games, matcher_).size();
            count.games += games;
            count.occurrences += games;
            count.occurrences += static_cast<std::uint64_t>(
                std::count_if(group.again.begin(), group.again.end(), std::ref(matcher_)));
        }
        count.games -= static_cast<std::uint64_t>(std::count_if(
            position->in_others.begin(), position->in_others.end(), std::ref(matcher_)));
        append_occurrences(question.targets.front(), candidates_of(*position), found, check);
    } else {
        found = occurrences(question, std::move(stop));
    }
    count.occurrences += found.size();
    const auto earlier = [](const Occurrence& a, const Occurrence& b) { return a.game < b.game; };
    std::sort(found.begin(), found.end(), earlier);
    const auto same = [](const Occurrence& a, const Occurrence& b) { return a.game == b.game; };
    count.games +=
        static_cast<std::uint64_t>(std::unique(found.begin(), found.end(), same) - found.begin());
    return count;
}

void PositionSearch::append_occurrences(const Question::Target& target,
                                        std::span<const Candidate> candidates,
                                        std::vector<Occurrence>& out, base::StopCheck& stop) {
    const Question::Target* const targets[]{&target};
    for (const Candidate& candidate : candidates) {
        stop();
        if (!matcher_(candidate.game)) continue;
        if (candidate.ply) {
            out.push_back({candidate.game, candidate.next, target.mirrored});
        } else if (read_and_replay(targets, candidate.game, hit_)) {
            out.push_back(
                {candidate.game, hit_.next.value_or(codec::kGameEndsHere), target.mirrored});
        }
    }
}

std::vector<Occurrence> PositionSearch::occurrences(const Question& question,
                                                    std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    std::vector<Occurrence> out;
    for (const Question::Target& target : question.targets) {
        reader_.for_each_candidate_group(target.key, matcher_.filter(),
                                         [&](std::span<const Candidate> candidates) {
                                             append_occurrences(target, candidates, out, check);
                                         });
    }
    return out;
}

}  // namespace fendex::query
