#include "serve/explorer/lichess_games.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/checksum.hpp"
#include "codec/game_codes.hpp"
#include "serve/explorer/game_ids.hpp"

namespace fendex::serve::explorer {

namespace {

/// So many games are read without delaying other requests.
constexpr store::GameId kFewGames = 1000;

std::uint32_t hash_of(std::string_view id) {
    return static_cast<std::uint32_t>(base::checksum(id, 0));
}

/// The last game may be read again when its file grows, so it is not kept.
store::GameId last_settled(const OpenDatabase& database) {
    const store::GameId last = database.reader->last_game();
    return last == 0 ? 0 : last - 1;
}

/// Calls visit(game, id) for the games of a range that have an id.
template <typename Visit>
void for_each_id(store::StoreReader& reader, store::GameId first, store::GameId last,
                 base::StopCheck& stop, Visit visit) {
    std::array<std::uint32_t, codec::kGamesPerChunk> sites;
    std::vector<store::GameId> games;
    while (first <= last) {
        stop();
        const std::size_t count = std::min<std::size_t>(sites.size(), last - first + 1);
        reader.column(store::GameColumn::kSite, first, std::span(sites).first(count));
        games.clear();
        for (std::size_t i = 0; i < count; ++i) {
            // Web addresses are in the rows of their games.
            if (sites[i] == codec::kCodeInRow) games.push_back(first + i);
        }
        reader.headers(games, [&](const store::GameHeader& header) {
            const std::string_view id = lichess_id(header.site.value_or(""));
            if (!id.empty()) visit(header.id, id);
        });
        first += count;
    }
}

}  // namespace

bool LichessGames::is_ready(const OpenDatabase& database) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    const store::GameId last = last_settled(database);
    return lock && store_.lock() == database.store && last >= last_ && last - last_ <= kFewGames;
}

void LichessGames::update(const OpenDatabase& database, base::StopCheck& stop) {
    const store::GameId last = last_settled(database);
    if (store_.lock() != database.store || last < last_) {
        store_ = database.store;
        last_ = 0;
        entries_.clear();
    }
    if (last == last_) return;
    const std::size_t known = entries_.size();
    try {
        for_each_id(*database.reader, last_ + 1, last, stop,
                    [&](store::GameId game, std::string_view id) {
                        entries_.push_back({hash_of(id), static_cast<std::uint32_t>(game)});
                    });
    } catch (...) {
        entries_.resize(known);
        throw;
    }
    const auto middle = entries_.begin() + static_cast<std::ptrdiff_t>(known);
    std::sort(middle, entries_.end());
    std::inplace_merge(entries_.begin(), middle, entries_.end());
    last_ = last;
}

std::optional<store::GameId> LichessGames::find(const OpenDatabase& database, std::string_view id,
                                                base::StopCheck& stop) {
    std::vector<store::GameId> games;
    {
        const std::lock_guard lock(mutex_);
        update(database, stop);
        const std::uint32_t hash = hash_of(id);
        for (auto at = std::lower_bound(entries_.begin(), entries_.end(), Entry{hash, 0});
             at != entries_.end() && at->hash == hash; ++at) {
            games.push_back(at->game);
        }
    }
    games.push_back(database.reader->last_game());
    std::optional<store::GameId> found;
    database.reader->headers(games, [&](const store::GameHeader& header) {
        if (!found && lichess_id(header.site.value_or("")) == id) found = header.id;
    });
    return found;
}

}  // namespace fendex::serve::explorer
