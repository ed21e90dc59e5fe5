#include "ask/listed_games.hpp"

#include <algorithm>
#include <utility>

namespace fendex::ask {

ListedGames::ListedGames(Sources& sources, store::GameOrder order, Rows::Place from,
                         std::stop_token stop)
    : sources_(sources),
      place_(from),
      stop_(std::move(stop)),
      by_number_(order == store::GameOrder::kId) {
    if (by_number_) return;
    std::vector<std::vector<query::RankedGame>> ranked;
    for (Source& source : sources_) {
        ranked.push_back(query::select_ranked_games(*source.reader, source.matcher, order,
                                                    query::kAllGames, stop_));
    }
    ranked_ = merged(ranked);
    next_ = std::min<std::size_t>(from.after, ranked_.size());
}

ListedGames::Some ListedGames::next() { return by_number_ ? next_by_number() : next_by_rank(); }

ListedGames::Some ListedGames::next_by_number() {
    constexpr std::size_t kListedAtOnce = 32 * 1024;
    while (next_ == numbers_.size()) {
        if (place_.group >= sources_.size()) return {};
        Source& source = sources_[place_.group];
        numbers_ =
            query::games_after(*source.reader, source.matcher, place_.after, kListedAtOnce, stop_);
        next_ = 0;
        if (numbers_.empty()) place_ = {place_.group + 1, 0};
    }
    Source& source = sources_[place_.group];
    Some some{&source, {}};
    const std::size_t end = std::min(numbers_.size(), next_ + source.reader->games_at_once().most);
    for (; next_ < end; ++next_) {
        place_.after = numbers_[next_];
        some.games.push_back({numbers_[next_], place_});
    }
    return some;
}

ListedGames::Some ListedGames::next_by_rank() {
    if (next_ == ranked_.size()) return {};
    Source& source = sources_[ranked_[next_].database];
    Some some{&source, {}};
    for (const PlacedGame& each :
         front_of_one_database(ranked_, next_, source.reader->games_at_once().most)) {
        some.games.push_back({each.game, {0, ++next_}});
    }
    return some;
}

}  // namespace fendex::ask
