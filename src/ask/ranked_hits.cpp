#include "ask/ranked_hits.hpp"

#include <algorithm>
#include <utility>

#include "query/pattern_scan.hpp"

namespace fendex::ask {

RankedHits::RankedHits(Sources& sources, const HitsQuestion& question, const Page& page,
                       std::stop_token stop)
    : sources_(sources), question_(question), stop_(std::move(stop)), next_(page.from.after) {
    std::vector<std::vector<query::RankedGame>> ranked;
    for (Source& source : sources_) ranked.push_back(ranked_games(source, page));
    games_ = merged(ranked);
}

std::optional<RankedHits::Some> RankedHits::next(std::uint64_t most) {
    if (at_end()) return std::nullopt;
    const std::span<const PlacedGame> some = front_of_one_database(games_, next_, most);
    next_ += some.size();
    Source& source = sources_[some.front().database];
    return Some{source, some, hits_in_games(source, some)};
}

std::uint64_t RankedHits::skip(std::uint64_t most) {
    const std::uint64_t left = games_.size() - std::min(next_, games_.size());
    const std::uint64_t skipped = std::min(most, left);
    next_ += skipped;
    return skipped;
}

/// Returns the first games of a database that may have hits; for a pattern and for evaluations all
/// games that have some.
std::vector<query::RankedGame> RankedHits::ranked_games(Source& source, const Page& page) const {
    if (question_.positions && !question_.evaluation) {
        return source.positions.ranked_games(*question_.positions, question_.order,
                                             games_for(page.from.after, page.limit), stop_);
    }
    std::vector<store::GameId> games;
    const auto add = [&](const query::Hit& hit) {
        games.push_back(hit.game);
        return true;
    };
    if (question_.pattern) {
        for_each_pattern_hit(source, question_, add, stop_);
    } else {
        const NextHit next = hits_in(source, question_, 0, stop_);
        query::Hit hit;
        while (next(hit)) add(hit);
    }
    return query::rank_games(*source.reader, question_.order, games, stop_);
}

std::vector<query::Hit> RankedHits::hits_in_games(Source& source,
                                                  std::span<const PlacedGame> some) const {
    std::vector<query::Hit> hits;
    std::optional<query::HitEvaluations> evaluations;
    if (question_.evaluation) evaluations.emplace(*source.reader, *question_.evaluation);
    const auto add = [&](query::Hit hit) {
        if (!evaluations || evaluations->keep(hit)) hits.push_back(std::move(hit));
    };
    std::vector<store::GameId> games;
    for (const PlacedGame& each : some) games.push_back(each.game);
    if (question_.positions) {
        source.positions.find_in(*question_.positions, games,
                                 [&](const query::Hit& hit) { add(hit); });
        return hits;
    }
    query::Hit hit;
    for (const store::GameId game : games) {
        if (query::find_pattern_in(*source.reader, *question_.pattern, game, hit)) {
            add(hit);
        }
    }
    return hits;
}

}  // namespace fendex::ask
