#include "ask/sum_rows.hpp"

#include <utility>

#include "ask/item_rows.hpp"
#include "ask/questions.hpp"
#include "base/text_fold.hpp"
#include "emit/sum_rows.hpp"
#include "query/opening_sums.hpp"

namespace fendex::ask {

std::unique_ptr<Rows> player_rows(const Context& context, const std::string& prefix) {
    const store::AskedPlayers asked =
        prefix.empty() ? store::AskedPlayers() : base::NameWords(base::fold(prefix));
    std::vector<std::vector<query::PlayerCount>> lists;
    std::size_t all = 0;
    const bool is_one = context.sources->size() == 1;
    for (Source& source : *context.sources) {
        const auto players = source.reader->engine().players(source.matcher.filter(), context.stop);
        all = players->count(asked, context.stop);
        lists.push_back(
            players->first(asked, is_one ? items_for(context.page, all) : all, context.stop));
    }
    std::vector<query::PlayerCount> players = query::joined_players(std::move(lists));
    if (!is_one) all = players.size();
    return std::make_unique<ItemRows<query::PlayerCount>>(std::move(players), all, context.page,
                                                          emit::kPlayerColumns, emit::player_cells);
}

std::unique_ptr<Rows> player_rows(std::vector<query::PlayerCount> players) {
    return item_rows(std::move(players), Page{}, emit::kPlayerColumns, emit::player_cells);
}

namespace {

std::unique_ptr<Rows> opening_rows(const Context& context, query::OpeningOrder order) {
    std::vector<std::vector<query::OpeningSum>> sums;
    for (Source& source : *context.sources) {
        sums.push_back(query::opening_sums(*source.reader, source.matcher, order, context.stop));
    }
    return item_rows(query::joined_openings(std::move(sums), order), context.page,
                     emit::kOpeningColumns, emit::opening_cells);
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
