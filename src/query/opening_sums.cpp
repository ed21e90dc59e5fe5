#include "query/opening_sums.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "replay/opening_names.hpp"

namespace fendex::query {

namespace {

void sort_openings(std::vector<OpeningSum>& openings, OpeningOrder order) {
    std::ranges::sort(openings, [&](const OpeningSum& a, const OpeningSum& b) {
        if (order == OpeningOrder::kGames && a.tally.games != b.tally.games) {
            return a.tally.games > b.tally.games;
        }
        return std::tie(a.eco, a.name) < std::tie(b.eco, b.name);
    });
}

}  // namespace

std::vector<OpeningSum> opening_sums(store::StoreReader& reader, GameMatcher& matcher,
                                     OpeningOrder order, std::stop_token stop) {
    std::vector<OpeningSum> out;
    for (const store::Engine::OpeningTally& each :
         reader.engine().openings(matcher.filter(), std::move(stop))) {
        const replay::Opening opening = replay::opening_of_text(each.opening);
        out.push_back({std::string(opening.eco), std::string(opening.name), each.tally});
    }
    sort_openings(out, order);
    return out;
}

std::vector<OpeningSum> joined_openings(std::vector<std::vector<OpeningSum>> databases,
                                        OpeningOrder order) {
    if (databases.size() == 1) return std::move(databases.front());
    std::vector<OpeningSum> all;
    for (const auto& sums : databases) all.insert(all.end(), sums.begin(), sums.end());
    sort_openings(all, OpeningOrder::kEco);
    std::vector<OpeningSum> out;
    for (OpeningSum& each : all) {
        if (!out.empty() && out.back().eco == each.eco && out.back().name == each.name) {
            out.back().tally.add(each.tally);
        } else {
            out.push_back(std::move(each));
        }
    }
    sort_openings(out, order);
    return out;
}

}  // namespace fendex::query
