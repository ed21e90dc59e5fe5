#include <array>
#include <utility>

#include "ask/item_rows.hpp"
#include "ask/questions.hpp"
#include "emit/sum_rows.hpp"
#include "query/event_list.hpp"

namespace fendex::ask {

namespace {

struct OrderName {
    const char* name;
    query::EventOrder order;
};

constexpr std::array<OrderName, 5> kOrders{{{"games", query::EventOrder::kGames},
                                            {"name", query::EventOrder::kName},
                                            {"date", query::EventOrder::kDate},
                                            {"players", query::EventOrder::kPlayers},
                                            {"rating", query::EventOrder::kRating}}};

std::vector<std::string> order_names() {
    std::vector<std::string> names;
    names.reserve(kOrders.size());
    for (const OrderName& each : kOrders) names.emplace_back(each.name);
    return names;
}

query::EventOrder order_named(const std::string& name) {
    for (const OrderName& each : kOrders) {
        if (each.name == name) return each.order;
    }
    return kOrders.front().order;
}

std::unique_ptr<Rows> event_rows(const Context& context, query::EventOrder order) {
    std::vector<query::EventSource> sources;
    for (Source& each : *context.sources) sources.push_back({each.reader, &each.matcher});
    query::EventList events(sources, context.stop);
    const std::size_t all = events.size();
    return std::make_unique<ItemRows<query::Event>>(
        events.first(order, items_for(context.page, all)), all, context.page, emit::kEventColumns,
        emit::event_cells);
}

}  // namespace

QuestionKind events_kind() {
    return {.name = "events",
            .summary = "the events of games, with their players and years",
            .answer = "EventRow",
            .schemas = {{"EventRow",
                         {{"event", "string", "? is the row of the games whose event is unknown"},
                          {"games", "integer"},
                          {"players", "integer", "different ones that are known"},
                          {"sites", "integer", "the same; web addresses do not count"},
                          {"average_rating", "integer?"},
                          {"first_year", "integer?"},
                          {"last_year", "integer?"}}}},
            .fields = {choice_field("sort", order_names(),
                                    "order of the events: most games first, by name, the latest, "
                                    "most players or highest rated first")},
            .plan = [](const Given& given) {
                Plan plan{given.filter()};
                plan.rows = [order = order_named(given.text("sort"))](const Context& context) {
                    return event_rows(context, order);
                };
                return plan;
            }};
}

}  // namespace fendex::ask
