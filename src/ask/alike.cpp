#include "ask/alike.hpp"

#include <string_view>

#include "ask/item_rows.hpp"
#include "ask/questions.hpp"

namespace fendex::ask {

namespace {

constexpr std::string_view kColumns[]{"name", "games", "of"};

std::vector<Cell> cells_of(const query::AlikeName& alike) {
    return {std::string_view(alike.name), static_cast<std::int64_t>(alike.games),
            std::string_view(alike.of)};
}

}  // namespace

std::vector<query::AlikeName> alike_names(Sources& sources, const std::stop_token& stop) {
    return query::alike_names(sources.readers(), sources[0].matcher.filter(), stop);
}

void add_alike(std::span<const query::AlikeName> names, json::Object& object) {
    if (names.empty()) return;
    object.add_objects("alike", names, [](json::Object& member, const query::AlikeName& each) {
        member.add("name", each.name);
        member.add("games", each.games);
        member.add("of", each.of);
    });
}

Members alike_member() {
    return {{"alike?", "[AlikeName]", "players not counted, but perhaps those of the filter"}};
}

QuestionKind alike_kind() {
    return {.name = "alike",
            .summary = "names that a filter on players leaves out, but may be the same players'",
            .answer = "AlikeName",
            .schemas = {{"AlikeName",
                         {{"name", "string"},
                          {"games", "integer", "that fit the other conditions"},
                          {"of", "string", "a name that the filter takes"}}}},
            .plan = [](const Given& given) {
                Plan plan{given.filter()};
                plan.rows = [](const Context& context) {
                    return item_rows(alike_names(*context.sources, context.stop), context.page,
                                     kColumns, cells_of);
                };
                return plan;
            }};
}

}  // namespace fendex::ask
