#include "query/position_search.hpp"

#include <algorithm>

#include "store/stored_walk.hpp"

namespace fendex::query {

namespace {

bool matches(const Question& question, const chess::Position& position) {
    return position.key() == question.key &&
           (!question.position || position.same_as(*question.position));
}

}  // namespace

/// Replays a game to where its candidates say, or to its end, and fills hit_.
bool PositionSearch::check(const Question& question, store::GameId game,
                           const std::vector<store::Candidate>& candidates) {
    if (!reader_.moves(game, moves_)) {
        throw store::StoreError("damaged database: no game " + std::to_string(game));
    }
    hit_.game = game;
    hit_.plies.clear();
    hit_.variant = moves_.facts.variant;
    std::optional<std::uint32_t> last;  // to be replayed to; empty: to the end
    for (const store::Candidate& candidate : candidates) last = candidate.ply;
    codec::GameWalk walk = store::walk(game, moves_);
    while (true) {
        if (matches(question, walk.position())) {
            if (hit_.plies.empty()) {
                hit_.position = walk.position();
                hit_.next = walk.at_end() ? std::nullopt : std::optional(walk.next_move());
            }
            hit_.plies.push_back(walk.ply());
        }
        if (walk.at_end() || walk.ply() == last) break;
        walk.advance();
    }
    store::require_intact(game, walk);
    return !hit_.plies.empty();
}

void PositionSearch::find(const Question& question, const std::function<bool(const Hit&)>& visit) {
    const std::unique_ptr<store::CandidateCursor> cursor = reader_.candidates(question.key);
    std::vector<store::Candidate> group;  // of one game
    store::Candidate candidate;
    bool more = cursor->next(candidate);
    while (more) {
        group.assign(1, candidate);
        while ((more = cursor->next(candidate)) && candidate.game == group.front().game) {
            group.push_back(candidate);
        }
        if (check(question, group.front().game, group) && !visit(hit_)) return;
    }
}

Count PositionSearch::count(const Question& question, bool verify) {
    Count count;
    if (verify) {
        find(question, [&](const Hit& hit) {
            ++count.games;
            count.occurrences += hit.plies.size();
            return true;
        });
        return count;
    }
    const store::PositionOverview overview = reader_.overview(question.key);
    for (const codec::PositionSummary& summary : overview.summaries) {
        count.games += summary.total.games;
        count.occurrences += summary.total.occurrences;
    }
    const auto end = overview.candidates.end();
    for (auto first = overview.candidates.begin(); first != end;) {
        const auto last = std::find_if(
            first, end, [&](const store::Candidate& c) { return c.game != first->game; });
        const std::vector<store::Candidate> group(first, last);
        first = last;
        // Without a ply, a game can be named for another of its positions, and so more than once.
        if (std::all_of(group.begin(), group.end(),
                        [](const auto& c) { return c.ply.has_value(); })) {
            ++count.games;
            count.occurrences += group.size();
        } else if (check(question, group.front().game, group)) {
            ++count.games;
            count.occurrences += hit_.plies.size();
        }
    }
    return count;
}

}  // namespace fendex::query
