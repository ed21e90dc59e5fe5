// GET /api/v1/games: lists of games.
#include <algorithm>
#include <utility>

#include "emit/game_rows.hpp"
#include "serve/api/game_order.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

/// Number of games whose headers are read at once.
constexpr std::size_t kHeadersAtOnce = 64;

void append_game_row(const Source& source, bool several, const store::GameHeader& header,
                     std::string& out) {
    json::append_object(out, [&](json::Object& object) {
        add_game_ref(source, several, header.id, object);
        emit::add_game_columns(header, object);
        object.add("plies", header.plies);
    });
}

std::uint64_t count_games(Sources& sources) {
    std::uint64_t games = 0;
    for (Source& source : sources) games += source.matcher.count();
    return games;
}

/// Games in the order of databases and numbers, beginning at a place.
class GamesInOrderRows final : public Rows {
  public:
    GamesInOrderRows(std::unique_ptr<Sources> sources, const PageRequest& asked)
        : sources_(std::move(sources)),
          place_(asked.from),
          batch_(std::min(kHeadersAtOnce, asked.limit - 1) + 1) {}

    bool next(std::string& out) override {
        while (next_ == rows_.size()) {
            if (place_.group >= sources_->size()) return false;
            if (!read_more()) place_ = {place_.group + 1, 0};
        }
        out += rows_[next_].second;
        place_.after = rows_[next_].first;
        ++next_;
        return true;
    }
    Place place() const override { return place_; }
    std::optional<std::uint64_t> total() override { return count_games(*sources_); }

  private:
    /// Reads the next games of the database of place_. Returns false if it has no more.
    bool read_more() {
        rows_.clear();
        next_ = 0;
        Source& source = (*sources_)[place_.group];
        const store::GameId after = std::max(place_.after, read_);
        const std::vector<store::GameId> games =
            query::games_after(*source.reader, source.matcher, after, batch_);
        if (games.empty()) {
            read_ = 0;
            return false;
        }
        read_ = games.back();
        source.reader->headers(games, [&](const store::GameHeader& header) {
            append_game_row(source, sources_->several(), header,
                            rows_.emplace_back(header.id, std::string()).second);
        });
        return true;
    }

    std::unique_ptr<Sources> sources_;
    Place place_;
    std::size_t batch_;       // games to read at once
    store::GameId read_ = 0;  // the last game that was read
    std::vector<std::pair<store::GameId, std::string>> rows_;
    std::size_t next_ = 0;
};

/// Games of all databases in another order, after a number of skipped games.
class SortedGamesRows final : public Rows {
  public:
    SortedGamesRows(std::unique_ptr<Sources> sources, query::GameOrder order,
                    const PageRequest& asked, const std::stop_token& stop)
        : sources_(std::move(sources)),
          next_(asked.from.after),
          read_(next_),
          batch_(std::min(kHeadersAtOnce, asked.limit - 1) + 1) {
        const std::size_t most = asked.limit == kAllRows || asked.from.after > query::kAllGames / 2
                                     ? query::kAllGames
                                     : asked.from.after + asked.limit + 1;
        std::vector<std::vector<query::RankedGame>> ranked;
        for (Source& source : *sources_) {
            ranked.push_back(
                query::select_ranked_games(*source.reader, source.matcher, order, most, stop));
        }
        games_ = merged(ranked);
    }

    bool next(std::string& out) override {
        while (row_ == rows_.size()) {
            if (read_ >= games_.size()) return false;
            read_more();
        }
        next_ = rows_[row_].first + 1;
        out += rows_[row_++].second;
        return true;
    }
    Place place() const override { return {0, next_}; }
    std::optional<std::uint64_t> total() override { return count_games(*sources_); }

  private:
    /// Reads the next games of one database.
    void read_more() {
        rows_.clear();
        row_ = 0;
        const std::size_t first = read_;
        const std::span<const PlacedGame> some = front_of_one_database(games_, read_, batch_);
        Source& source = (*sources_)[some.front().database];
        std::vector<store::GameId> ids;
        for (const PlacedGame& each : some) ids.push_back(each.game);
        read_ += some.size();
        std::size_t place = first;
        source.reader->headers(ids, [&](const store::GameHeader& header) {
            while (games_[place].game != header.id) ++place;
            append_game_row(source, sources_->several(), header,
                            rows_.emplace_back(place, std::string()).second);
        });
    }

    std::unique_ptr<Sources> sources_;
    std::vector<PlacedGame> games_;
    std::size_t next_;  // the game after the last row
    std::size_t read_;  // the games before this one were read
    std::size_t batch_;
    std::vector<std::pair<std::size_t, std::string>> rows_;  // with their places in games_
    std::size_t row_ = 0;
};

}  // namespace

std::vector<PlacedGame> merged(std::span<const std::vector<query::RankedGame>> databases) {
    std::vector<std::pair<std::uint32_t, PlacedGame>> all;
    for (std::uint32_t i = 0; i < databases.size(); ++i) {
        for (const query::RankedGame& each : databases[i]) {
            all.push_back({each.rank, {i, each.game}});
        }
    }
    if (databases.size() > 1) {
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
    }
    std::vector<PlacedGame> games;
    games.reserve(all.size());
    for (const auto& [rank, game] : all) games.push_back(game);
    return games;
}

std::span<const PlacedGame> front_of_one_database(std::span<const PlacedGame> games,
                                                  std::size_t first, std::size_t most) {
    std::size_t end = first;
    while (end < games.size() && end - first < most &&
           games[end].database == games[first].database) {
        ++end;
    }
    return games.subspan(first, end - first);
}

ParameterSpec sort_parameter() {
    return choice_parameter("sort", {"id", "date", "elo", "plies"},
                            "order of the games; the latest, highest rated or longest first");
}

query::GameOrder game_order_of(const Call& call) {
    const std::string* const sort = call.find("sort");
    return sort == nullptr ? query::GameOrder::kId : query::game_order_of(*sort);
}

Route games_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/games";
    route.summary = "Lists games by player, event, date, rating, result and more.";
    route.parameters =
        joined({page_parameters(),
                {sort_parameter(), flag_parameter("count", "answer only how many there are")},
                filter_parameters()});
    route.answer = "GameRow";
    route.is_list = true;
    route.plan = [&databases](const Call& call) {
        const query::GameFilter filter = filter_of(call);
        if (flag_of(call, "count")) {
            return object_task(Cost::kSums, [&databases, filter](json::Object& object,
                                                                 const std::stop_token& stop) {
                Sources sources(databases, filter, stop);
                object.add("games", count_games(sources));
            });
        }
        const query::GameOrder order = game_order_of(call);
        return list_task(
            call, Cost::kSums,
            [&databases, filter, order](const PageRequest& asked,
                                        const std::stop_token& stop) -> std::unique_ptr<Rows> {
                auto sources = std::make_unique<Sources>(databases, filter, stop);
                if (order == query::GameOrder::kId) {
                    return std::make_unique<GamesInOrderRows>(std::move(sources), asked);
                }
                return std::make_unique<SortedGamesRows>(std::move(sources), order, asked, stop);
            });
    };
    return route;
}

}  // namespace fendex::serve::api
