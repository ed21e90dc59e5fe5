#include "emit/game_rows.hpp"

#include <algorithm>
#include <utility>

#include "ask/alike.hpp"
#include "ask/questions.hpp"
#include "ask/ranked_games.hpp"

namespace fendex::ask {

namespace {

/// Numbers of games that are listed at once.
constexpr std::size_t kGamesListed = 32 * 1024;

/// Counts the games that fit.
std::uint64_t count_games(Sources& sources) {
    std::uint64_t games = 0;
    for (Source& source : sources) games += source.matcher.count();
    return games;
}

/// Rows of games, whose numbers subclasses list.
class GameRows : public Rows {
  public:
    explicit GameRows(const Context& context)
        : sources_(context.sources), game_columns_(sources_->several(), context.style) {
        game_columns_.append_names(columns_);
        emit::append_game_names(columns_);
        columns_.emplace_back("plies");
    }

    std::optional<std::uint64_t> total() override { return count_games(*sources_); }

  protected:
    /// Reads the headers of these games of one database. Calls at(game) before each row.
    template <typename At>
    void visit_games(Source& source, std::span<const store::GameId> games, At at,
                     const Visit& visit) {
        source.reader->headers(games, [&](const store::GameHeader& header) {
            at(header.id);
            cells_.clear();
            game_columns_.append_cells(source, header.id, cells_);
            emit::append_game_cells(header, cells_);
            cells_.emplace_back(std::int64_t{header.plies});
            visit(cells_);
        });
    }
    /// Returns how many headers of a database to read at once.
    static std::size_t at_once(Source& source, std::uint64_t most) {
        return std::min<std::uint64_t>(most, source.reader->games_at_once().most);
    }

    std::shared_ptr<Sources> sources_;

  private:
    GameColumns game_columns_;
    std::vector<Cell> cells_;
};

/// Games in the order of databases and numbers. A place is a database and the number of a game.
class GamesInOrder final : public GameRows {
  public:
    explicit GamesInOrder(const Context& context)
        : GameRows(context),
          stop_(context.stop),
          place_(context.page.from),
          listed_at_once_(std::min<std::uint64_t>(context.page.limit, kGamesListed - 1) + 1) {}

    bool read(std::uint64_t most, const Visit& visit) override {
        const std::span<const store::GameId> games = next_games(most, true);
        if (games.empty()) return false;
        visit_games((*sources_)[place_.group], games,
                    [&](store::GameId game) { place_.after = game; }, visit);
        place_.after = games.back();
        return true;
    }
    std::uint64_t skip(std::uint64_t most) override {
        std::uint64_t skipped = 0;
        while (skipped < most) {
            const std::span<const store::GameId> games = next_games(most - skipped, false);
            if (games.empty()) break;
            place_.after = games.back();
            skipped += games.size();
        }
        return skipped;
    }
    [[nodiscard]] Place place() const override { return place_; }

  private:
    /// Returns the next games, all of the database of place_; none after the last game.
    std::span<const store::GameId> next_games(std::uint64_t most, bool headers) {
        while (next_ == listed_.size()) {
            if (place_.group >= sources_->size()) return {};
            Source& source = (*sources_)[place_.group];
            listed_ = query::games_after(*source.reader, source.matcher, place_.after,
                                         listed_at_once_, stop_);
            next_ = 0;
            if (listed_.empty()) place_ = {place_.group + 1, 0};
        }
        const std::size_t count = std::min<std::uint64_t>(
            listed_.size() - next_, headers ? at_once((*sources_)[place_.group], most) : most);
        next_ += count;
        return std::span(listed_).subspan(next_ - count, count);
    }

    std::stop_token stop_;
    Place place_;
    std::size_t listed_at_once_;
    std::vector<store::GameId> listed_;  // of the database of place_
    std::size_t next_ = 0;               // index in listed_
};

/// Games in another order. A place is a number of games before it.
class SortedGames final : public GameRows {
  public:
    SortedGames(const Context& context, store::GameOrder order)
        : GameRows(context), next_(context.page.from.after), shown_(next_) {
        std::vector<std::vector<query::RankedGame>> ranked;
        for (Source& source : *sources_) {
            ranked.push_back(query::select_ranked_games(*source.reader, source.matcher, order,
                                                        games_for(next_, context.page.limit),
                                                        context.stop));
        }
        games_ = merged(ranked);
    }

    bool read(std::uint64_t most, const Visit& visit) override {
        if (next_ >= games_.size()) return false;
        Source& source = (*sources_)[games_[next_].database];
        std::vector<store::GameId> ids;
        for (const PlacedGame& each : front_of_one_database(games_, next_, at_once(source, most))) {
            ids.push_back(each.game);
        }
        shown_ = next_;
        next_ += ids.size();
        visit_games(
            source, ids,
            [&](store::GameId game) {
                while (games_[shown_].game != game) ++shown_;
                ++shown_;
            },
            visit);
        shown_ = next_;
        return true;
    }
    std::uint64_t skip(std::uint64_t most) override {
        const std::uint64_t left = games_.size() - std::min(next_, games_.size());
        const std::uint64_t skipped = std::min(most, left);
        shown_ = next_ += skipped;
        return skipped;
    }
    [[nodiscard]] Place place() const override { return {0, shown_}; }

  private:
    std::vector<PlacedGame> games_;
    std::size_t next_;   // index in games_ of the game to read next
    std::size_t shown_;  // the games before this one were visited
};

std::unique_ptr<Rows> game_rows(const Context& context, store::GameOrder order) {
    if (order == store::GameOrder::kId) return std::make_unique<GamesInOrder>(context);
    return std::make_unique<SortedGames>(context, order);
}

}  // namespace

QuestionKind games_kind() {
    return {.name = "games",
            .summary = "games by player, event, date, rating, result and more",
            .answer = "GameRow",
            .schemas = {{"GameRow",
                         all_members(
                             {game_ref_members(), game_column_members(), {{"plies", "integer"}}})}},
            .count = "count_games",
            .fields = {sort_field()},
            .plan = [](const Given& given) {
                Plan plan{given.filter()};
                plan.rows = [order = given.order()](const Context& context) {
                    return game_rows(context, order);
                };
                return plan;
            }};
}

QuestionKind count_games_kind() {
    return {.name = "count_games",
            .summary = "how many games fit",
            .answer = "Count",
            .schemas = {{"Count", all_members({{{"games", "integer"}}, alike_member()})}},
            .is_list = false,
            .plan = [](const Given& given) {
                Plan plan{given.filter()};
                plan.document = [](const Context& context, json::Object& object) {
                    object.add("games", count_games(*context.sources));
                    add_alike(alike_names(*context.sources, context.stop), object);
                };
                return plan;
            }};
}

}  // namespace fendex::ask
