#include "serve/explorer/lichess_games.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/checksum.hpp"
#include "codec/game_codes.hpp"
#include "serve/explorer/game_ids.hpp"
#include "store/engine.hpp"
#include "store/local_reader.hpp"

namespace fendex::serve::explorer {

namespace {

/// Number of games that can be read without delaying other requests.
constexpr store::GameId kFewGames = 1000;
/// Limit for the addresses that a cluster finds. Those whose id only begins with the given one are
/// among them.
constexpr std::size_t kAlike = 1000;

std::uint32_t hash_of(std::string_view id) {
    return static_cast<std::uint32_t>(base::checksum(id, 0));
}

/// Returns the last game that cannot change. The very last game is read again when its file grows.
store::GameId last_settled(const OpenDatabase& database) {
    const store::GameId last = database.reader->last_game();
    return last == 0 ? 0 : last - 1;
}

/// Reads the ids of a range of games, chunk by chunk.
class IdScan {
  public:
    IdScan(store::LocalReader& reader, store::GameId first, store::GameId last)
        : reader_(reader), first_(first), last_(last) {}

    /// Returns whether there is another chunk.
    [[nodiscard]] bool more() const { return first_ <= last_; }
    /// Calls visit(game, id) for the games of the next chunk that have an id; returns the chunk's
    /// last game.
    template <typename Visit>
    store::GameId next(Visit visit) {
        const std::size_t count = std::min<std::size_t>(sites_.size(), last_ - first_ + 1);
        reader_.column(store::GameColumn::kSite, first_, std::span(sites_).first(count));
        games_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            // A web address has no code: it is stored in the row of its game.
            if (sites_[i] == codec::kCodeInRow) games_.push_back(first_ + i);
        }
        reader_.headers(games_, [&](const store::GameHeader& header) {
            const std::string_view id = lichess_id(header.site.value_or(""));
            if (!id.empty()) visit(header.id, id);
        });
        first_ += count;
        return first_ - 1;
    }

  private:
    store::LocalReader& reader_;
    store::GameId first_;
    store::GameId last_;
    std::array<std::uint32_t, codec::kGamesPerChunk> sites_;
    std::vector<store::GameId> games_;
};

}  // namespace

bool LichessGames::is_ready(const OpenDatabase& database) {
    if (database.reader->is_remote()) return false;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    const store::GameId last = last_settled(database);
    return lock && store_.lock() == database.store && last >= last_ && last - last_ <= kFewGames;
}

void LichessGames::update(const OpenDatabase& database, store::LocalReader& reader,
                          base::StopCheck& stop) {
    const store::GameId last = last_settled(database);
    if (store_.lock() != database.store || last < last_) {
        store_ = database.store;
        last_ = 0;
        entries_.clear();
    }
    const std::size_t known = entries_.size();
    const auto sort = [&] {
        const auto middle = entries_.begin() + static_cast<std::ptrdiff_t>(known);
        std::sort(middle, entries_.end());
        std::inplace_merge(entries_.begin(), middle, entries_.end());
    };
    IdScan scan(reader, last_ + 1, last);
    std::vector<Entry> chunk;
    try {
        while (scan.more()) {
            stop();
            chunk.clear();
            const store::GameId end = scan.next([&](store::GameId game, std::string_view id) {
                chunk.push_back({hash_of(id), static_cast<std::uint32_t>(game)});
            });
            entries_.insert(entries_.end(), chunk.begin(), chunk.end());
            last_ = end;
        }
    } catch (...) {
        // Keeps what was read, and the next request continues there: reading a large database may
        // take longer than the time limit of one request.
        sort();
        throw;
    }
    if (entries_.size() != known) sort();
}

std::optional<store::GameId> LichessGames::find(const OpenDatabase& database, std::string_view id,
                                                std::stop_token stop) {
    std::vector<store::GameId> games;
    store::LocalReader* const local = database.reader->local();
    if (local == nullptr) {
        games =
            database.reader->engine().games_at_site('/' + std::string(id), kAlike, std::move(stop));
    } else {
        base::StopCheck check(std::move(stop));
        const std::lock_guard lock(mutex_);
        update(database, *local, check);
        const std::uint32_t hash = hash_of(id);
        for (auto at = std::ranges::lower_bound(entries_, hash, {}, &Entry::hash);
             at != entries_.end() && at->hash == hash; ++at) {
            games.push_back(at->game);
        }
        games.push_back(database.reader->last_game());
    }
    std::optional<store::GameId> found;
    database.reader->headers(games, [&](const store::GameHeader& header) {
        if (!found && lichess_id(header.site.value_or("")) == id) found = header.id;
    });
    return found;
}

}  // namespace fendex::serve::explorer
