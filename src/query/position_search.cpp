#include "query/position_search.hpp"

#include <algorithm>

#include "query/position_replay.hpp"
#include "query/variation_cursor.hpp"

namespace fendex::query {

using store::GameId;

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

void PositionSearch::find(const Question& question, const std::function<bool(const Hit&)>& visit,
                          std::stop_token stop) {
    HitCursor hits(*this, question, std::move(stop));
    while (hits.next(hit_)) {
        if (!visit(hit_)) return;
    }
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

bool PositionSearch::find_in(const Question& question, GameId game, Hit& out) {
    if (!reader_.moves(game, moves_)) store::throw_no_game(game);
    return replay(Targets(question).of({}), game, moves_, std::nullopt, false, out);
}

void PositionSearch::find_in(const Question& question, std::span<const GameId> games,
                             const std::function<void(const Hit&)>& visit) {
    Targets targets(question);
    const std::size_t most = reader_.games_at_once().most;
    std::vector<Hit> hits;
    while (!games.empty()) {
        const auto some = games.first(std::min(games.size(), most));
        games = games.subspan(some.size());
        hits.clear();
        reader_.moves(some, [&](GameId game, const store::StoredMoves& moves) {
            if (replay(targets.of({}), game, moves, std::nullopt, false, hit_))
                hits.push_back(hit_);
        });
        for (const Hit& hit : hits) visit(hit);
    }
}

std::vector<RankedGame> PositionSearch::ranked_games(const Question& question, GameOrder order,
                                                     std::size_t most, std::stop_token stop) {
    std::vector<RankedGame> ranked;
    for (const auto& each : reader_.engine().reached(question.keys(), matcher_.filter(), order,
                                                     std::nullopt, most, std::move(stop))) {
        ranked.push_back(each.game);
    }
    return ranked;
}

std::vector<std::uint64_t> PositionSearch::count_games(std::span<const Question> questions,
                                                       std::stop_token stop) {
    std::vector<std::vector<store::Engine::Target>> keys;
    keys.reserve(questions.size());
    for (const Question& question : questions) keys.push_back(question.keys());
    std::vector<std::uint64_t> games;
    games.reserve(questions.size());
    for (const auto& counts : reader_.engine().counts(keys, matcher_.filter(), std::move(stop))) {
        games.push_back(counts.games);
    }
    return games;
}

Count PositionSearch::count(const Question& question, bool verify, std::stop_token stop) {
    if (!verify) {
        const std::vector<std::vector<store::Engine::Target>> keys{question.keys()};
        const auto counts = reader_.engine().counts(keys, matcher_.filter(), std::move(stop));
        return {counts.front().games, counts.front().occurrences};
    }
    Count count;
    const auto add = [&](const Hit& hit) {
        ++count.games;
        count.occurrences += hit.plies.size();
        return true;
    };
    find(question, add, std::move(stop));
    return count;
}

}  // namespace fendex::query
