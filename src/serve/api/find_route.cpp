// GET /api/v1/find: the games that reached a position, a pattern or material.
#include <algorithm>
#include <utility>

#include "emit/hit_rows.hpp"
#include "serve/api/game_order.hpp"
#include "serve/api/hits.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

/// Number of hits whose headers are read at once.
constexpr std::size_t kHitsAtOnce = 64;

query::Count count_in(Source& source, const HitsRequest& asked, const std::stop_token& stop) {
    if (asked.pattern) {
        return query::PatternCursor(*source.reader, source.matcher, *asked.pattern, stop).count();
    }
    if (!asked.variations) return source.positions.count(*asked.question, false, stop);
    query::Count count;
    store::GameId last = 0;
    source.positions.find_with_variations(
        *asked.question,
        [&](const query::Hit& hit) {
            count.games += hit.game != last ? 1 : 0;
            count.occurrences += hit.plies.size();
            last = hit.game;
            return true;
        },
        stop);
    return count;
}

/// Writes rows of hits.
class HitWriter {
  public:
    explicit HitWriter(bool variations)
        : columns_(emit::hit_columns(variations)), variations_(variations) {}

    void append(const Source& source, bool several, const query::Hit& hit,
                const store::GameHeader& header, std::string& out) {
        cells_.clear();
        row_.append_cells(hit, header, {false, variations_}, cells_);
        json::append_object(out, [&](json::Object& object) {
            add_game_ref(source, several, hit.game, object);
            emit::add_members(columns_, cells_, object);
        });
    }

  private:
    std::vector<std::string> columns_;
    bool variations_;
    emit::HitRow row_;
    std::vector<emit::Cell> cells_;
};

/// Hits in the order of databases and games, beginning at a place.
class HitsInOrderRows final : public Rows {
  public:
    HitsInOrderRows(std::unique_ptr<Sources> sources, HitsRequest asked, const PageRequest& page,
                    std::stop_token stop)
        : sources_(std::move(sources)),
          asked_(std::move(asked)),
          stop_(std::move(stop)),
          writer_(asked_.variations),
          place_(page.from),
          batch_(std::min(kHitsAtOnce, page.limit - 1) + 1) {}

    bool next(std::string& out) override {
        while (next_ == rows_.size()) {
            if (place_.group >= sources_->size()) return false;
            if (!read_more()) {
                place_ = {place_.group + 1, 0};
                hits_ = nullptr;
            }
        }
        out += rows_[next_].second;
        place_.after = asked_.variations ? place_.after + 1 : rows_[next_].first;
        ++next_;
        return true;
    }
    Place place() const override { return place_; }
    std::optional<std::uint64_t> total() override {
        if (!asked_.question) return std::nullopt;
        std::uint64_t games = 0;
        for (Source& source : *sources_) {
            if (asked_.variations || !source.positions.sums_suffice(*asked_.question)) {
                return std::nullopt;
            }
            games += source.positions.count(*asked_.question, false, stop_).games;
        }
        return games;
    }

  private:
    /// Reads the next hits of the database of place_. Returns false if it has no more.
    bool read_more() {
        Source& source = (*sources_)[place_.group];
        if (!hits_) hits_ = hits_in(source, asked_, place_.after, stop_);
        rows_.clear();
        next_ = 0;
        std::vector<query::Hit> hits;
        query::Hit hit;
        while (hits.size() < batch_ && hits_(hit)) hits.push_back(std::move(hit));
        emit::for_each_header(
            hits, *source.reader, [&](const query::Hit& each, const store::GameHeader& header) {
                writer_.append(source, sources_->several(), each, header,
                               rows_.emplace_back(each.game, std::string()).second);
            });
        return !rows_.empty();
    }

    std::unique_ptr<Sources> sources_;
    HitsRequest asked_;
    std::stop_token stop_;
    HitWriter writer_;
    Place place_;
    std::size_t batch_;  // hits to read at once
    NextHit hits_;       // of the database of place_; empty: not opened yet
    std::vector<std::pair<store::GameId, std::string>> rows_;
    std::size_t next_ = 0;
};

/// Returns the first games of a database that may have hits, in the order of the request. Returns
/// all of them for a pattern or from a reader without an engine, which must read them all anyway.
std::vector<query::RankedGame> ranked_games(Source& source, const HitsRequest& asked,
                                            const PageRequest& page, const std::stop_token& stop) {
    if (asked.pattern) {
        std::vector<store::GameId> games;
        query::PatternCursor cursor(*source.reader, source.matcher, *asked.pattern, stop);
        query::Hit hit;
        while (cursor.next(hit)) games.push_back(hit.game);
        return query::rank_games(*source.reader, asked.order, games, stop);
    }
    const bool all = source.reader->engine() == nullptr || page.limit == kAllRows ||
                     page.from.after > query::kAllGames / 2;
    return source.positions.ranked_games(*asked.question, asked.order,
                                         all ? query::kAllGames : page.from.after + page.limit + 1,
                                         stop);
}

/// Hits of all databases in another order of games, after a number of skipped games.
class SortedHitsRows final : public Rows {
  public:
    SortedHitsRows(std::unique_ptr<Sources> sources, HitsRequest asked, const PageRequest& page,
                   const std::stop_token& stop)
        : sources_(std::move(sources)),
          asked_(std::move(asked)),
          writer_(false),
          next_(page.from.after),
          read_(next_),
          batch_(std::min(kHitsAtOnce, page.limit - 1) + 1) {
        std::vector<std::vector<query::RankedGame>> ranked;
        for (Source& source : *sources_) {
            ranked.push_back(ranked_games(source, asked_, page, stop));
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

  private:
    /// Reads the hits in the next games of one database.
    void read_more() {
        rows_.clear();
        row_ = 0;
        std::size_t place = read_;
        const std::span<const PlacedGame> some = front_of_one_database(games_, read_, batch_);
        Source& source = (*sources_)[some.front().database];
        read_ += some.size();
        const std::vector<query::Hit> hits = hits_in_games(source, some);
        emit::for_each_header(hits, *source.reader,
                              [&](const query::Hit& each, const store::GameHeader& header) {
                                  while (games_[place].game != each.game) ++place;
                                  writer_.append(source, sources_->several(), each, header,
                                                 rows_.emplace_back(place, std::string()).second);
                              });
    }
    std::vector<query::Hit> hits_in_games(Source& source, std::span<const PlacedGame> some) const {
        std::vector<query::Hit> hits;
        std::vector<store::GameId> games;
        for (const PlacedGame& each : some) games.push_back(each.game);
        if (!asked_.pattern) {
            source.positions.find_in(*asked_.question, games,
                                     [&](const query::Hit& hit) { hits.push_back(hit); });
            return hits;
        }
        query::Hit hit;
        for (const store::GameId game : games) {
            if (query::find_pattern_in(*source.reader, *asked_.pattern, game, hit)) {
                hits.push_back(hit);
            }
        }
        return hits;
    }

    std::unique_ptr<Sources> sources_;
    HitsRequest asked_;
    HitWriter writer_;
    std::vector<PlacedGame> games_;
    std::size_t next_;  // the game after the last row
    std::size_t read_;  // the games before this one were read
    std::size_t batch_;
    std::vector<std::pair<std::size_t, std::string>> rows_;  // with their places in games_
    std::size_t row_ = 0;
};

Task count_task(Databases& databases, const Call& call, Cost cost) {
    return object_task(cost, [&databases, call](json::Object& object, const std::stop_token& stop) {
        const HitsRequest asked = hits_request(call);
        Sources sources(databases, asked.filter, stop);
        query::Count all;
        for (Source& source : sources) {
            const query::Count count = count_in(source, asked, stop);
            all.games += count.games;
            all.occurrences += count.occurrences;
        }
        object.add("games", all.games);
        object.add("occurrences", all.occurrences);
    });
}

}  // namespace

Route find_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/find";
    route.summary = "Lists games that reached a position, a pattern or material.";
    route.parameters =
        joined({question_parameters(),
                {sort_parameter(),
                 flag_parameter("count", "answer only how many games and occurrences there are")},
                page_parameters(),
                filter_parameters()});
    route.answer = "Hit";
    route.is_list = true;
    route.plan = [&databases](const Call& call) {
        const Cost cost =
            asks_pattern(call) || flag_of(call, "variations") ? Cost::kScan : Cost::kSums;
        if (flag_of(call, "count")) return count_task(databases, call, cost);
        return list_task(call, cost,
                         [&databases, call](const PageRequest& page,
                                            const std::stop_token& stop) -> std::unique_ptr<Rows> {
                             HitsRequest asked = hits_request(call);
                             auto sources =
                                 std::make_unique<Sources>(databases, asked.filter, stop);
                             if (asked.order == query::GameOrder::kId) {
                                 return std::make_unique<HitsInOrderRows>(
                                     std::move(sources), std::move(asked), page, stop);
                             }
                             return std::make_unique<SortedHitsRows>(std::move(sources),
                                                                     std::move(asked), page, stop);
                         });
    };
    return route;
}

}  // namespace fendex::serve::api
