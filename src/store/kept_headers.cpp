#include "store/kept_headers.hpp"

#include <algorithm>
#include <vector>

namespace fendex::store {

KeptHeaders::KeptHeaders(StoreReader& reader, std::span<const GameId> games) {
    std::vector<GameId> once(games.begin(), games.end());
    std::ranges::sort(once);
    once.erase(std::unique(once.begin(), once.end()), once.end());
    reader.headers(once, [&](const GameHeader& header) {
        GameHeader& kept = headers_[header.id] = header;
        for (auto* const text : {&kept.white, &kept.black, &kept.event, &kept.site, &kept.date,
                                 &kept.round, &kept.eco}) {
            if (*text) *text = texts_.emplace_back(**text);
        }
    });
}

const GameHeader* KeptHeaders::find(GameId game) const {
    const auto found = headers_.find(game);
    return found == headers_.end() ? nullptr : &found->second;
}

KeptHeadersOfSeveral::KeptHeadersOfSeveral(std::span<StoreReader* const> readers,
                                           std::span<const Place> games) {
    std::vector<std::vector<GameId>> games_of(readers.size());
    for (const auto& [database, game] : games) games_of[database].push_back(game);
    for (std::size_t i = 0; i < readers.size(); ++i)
        headers_.emplace_back(*readers[i], games_of[i]);
}

}  // namespace fendex::store
