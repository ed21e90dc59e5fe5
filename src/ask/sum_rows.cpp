#include "ask/sum_rows.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "ask/questions.hpp"
#include "emit/sum_rows.hpp"
#include "query/opening_sums.hpp"

namespace fendex::ask {

namespace {

/// Returns how many of `all` items the page needs, counted from the first item of the list to the
/// one after the page.
std::size_t items_for(const Page& page, std::size_t all) {
    const std::size_t before = std::min<std::uint64_t>(page.from.after, all);
    return page.limit >= all - before ? all : before + page.limit + 1;
}

/// Rows of items that are computed before: all, or at least those up to the end of the page. A
/// place is a number of items before it.
template <typename Item>
class ItemRows final : public Rows {
  public:
    using Cells = std::vector<Cell> (*)(const Item&);

    /// `all` is the number of items, including those that were not computed.
    ItemRows(std::vector<Item> items, std::size_t all, const Page& page,
             std::span<const std::string_view> columns, Cells cells)
        : items_(std::move(items)),
          all_(all),
          cells_(cells),
          next_(std::min<std::uint64_t>(page.from.after, items_.size())) {
        columns_.assign(columns.begin(), columns.end());
    }

    bool read(std::uint64_t most, const Visit& visit) override {
        if (next_ == items_.size()) return false;
        for (; most != 0 && next_ != items_.size(); --most) visit(cells_(items_[next_++]));
        return true;
    }
    std::uint64_t skip(std::uint64_t most) override {
        const std::uint64_t skipped = std::min<std::uint64_t>(most, items_.size() - next_);
        next_ += skipped;
        return skipped;
    }
    [[nodiscard]] Place place() const override { return {0, next_}; }
    std::optional<std::uint64_t> total() override { return all_; }

  private:
    std::vector<Item> items_;
    std::size_t all_;
    Cells cells_;
    std::size_t next_;
};

}  // namespace

std::vector<query::PlayerCount> players_of(Sources& sources, const std::stop_token& stop) {
    std::vector<std::vector<query::PlayerCount>> lists;
    for (Source& source : sources) {
        lists.push_back(query::PlayerCounts(*source.reader, source.matcher, stop).all());
    }
    return query::joined_players(std::move(lists));
}

std::unique_ptr<Rows> player_rows(const Context& context, const std::string& prefix) {
    std::vector<std::vector<query::PlayerCount>> lists;
    std::size_t all = 0;
    const bool is_one = context.sources->size() == 1;
    for (Source& source : *context.sources) {
        query::PlayerCounts counts(*source.reader, source.matcher, context.stop);
        if (!prefix.empty()) counts.keep_named(prefix, context.stop);
        all = counts.size();
        lists.push_back(is_one ? counts.first(items_for(context.page, all)) : counts.all());
    }
    std::vector<query::PlayerCount> players = query::joined_players(std::move(lists));
    if (!is_one) all = players.size();
    return std::make_unique<ItemRows<query::PlayerCount>>(std::move(players), all, context.page,
                                                          emit::kPlayerColumns, emit::player_cells);
}

std::unique_ptr<Rows> player_rows(std::vector<query::PlayerCount> players) {
    const std::size_t all = players.size();
    return std::make_unique<ItemRows<query::PlayerCount>>(std::move(players), all, Page{},
                                                          emit::kPlayerColumns, emit::player_cells);
}

namespace {

std::unique_ptr<Rows> opening_rows(const Context& context, query::OpeningOrder order) {
    std::vector<std::vector<query::OpeningSum>> sums;
    for (Source& source : *context.sources) {
        sums.push_back(query::opening_sums(*source.reader, source.matcher, order, context.stop));
    }
    std::vector<query::OpeningSum> openings = query::joined_openings(std::move(sums), order);
    const std::size_t all = openings.size();
    return std::make_unique<ItemRows<query::OpeningSum>>(
        std::move(openings), all, context.page, emit::kOpeningColumns, emit::opening_cells);
}

}  // namespace

QuestionKind players_kind() {
    return {.name = "players",
            .summary = "the players and their numbers of games, those with most games first",
            .answer = "PlayerRow",
            .schemas = {{"PlayerRow",
                         {{"name", "string"},
                          {"games", "integer"},
                          {"white", "integer"},
                          {"black", "integer"},
                          {"first_year", "integer?"},
                          {"last_year", "integer?"}}}},
            .fields = {{"prefix", "WORDS",
                        "beginnings of words of the name, in any order; case and accents do not "
                        "matter"}},
            .plan = [](const Given& given) {
                Plan plan{given.filter()};
                plan.rows = [prefix = given.text("prefix")](const Context& context) {
                    return player_rows(context, prefix);
                };
                return plan;
            }};
}

QuestionKind openings_kind() {
    return {
        .name = "openings",
        .summary = "the openings of games, by their moves, with results",
        .answer = "OpeningRow",
        .schemas = {{"OpeningRow", all_members({{{"eco", "string?"}, {"opening", "string?"}},
                                                results_members(),
                                                {{"score", "number?", "White's, in percent"},
                                                 {"average_rating", "integer?"},
                                                 {"first_year", "integer?"},
                                                 {"last_year", "integer?"}}})}},
        .fields = {choice_field("sort", {"games", "eco"},
                                "order of the openings: most games first, or by code and name")},
        .plan = [](const Given& given) {
            Plan plan{given.filter()};
            const auto order = given.text("sort") == "eco" ? query::OpeningOrder::kEco
                                                           : query::OpeningOrder::kGames;
            plan.rows = [order](const Context& context) { return opening_rows(context, order); };
            return plan;
        }};
}

}  // namespace fendex::ask
