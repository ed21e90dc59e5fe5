// GET /api/v1/games: lists of games.
#include <utility>

#include "ask/game_rows.hpp"
#include "ask/questions.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

Route games_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/games";
    route.summary = "Lists games by player, event, date, rating, result and more.";
    route.parameters = ask::joined(
        {page_fields(),
         {ask::sort_field(), ask::flag_field("count", "answer only how many there are")},
         ask::fields_of_filter()});
    route.answer = "GameRow";
    route.is_list = true;
    route.count = "Count";
    route.plan = [&databases](const Call& call) {
        const query::GameFilter filter = call.given.filter();
        if (call.given.flag("count")) {
            return object_task(Cost::kSums, [&databases, filter](json::Object& object,
                                                                 const std::stop_token& stop) {
                Sources sources(databases.open(), filter, stop);
                object.add("games", ask::count_games(sources));
            });
        }
        return list_task(call, Cost::kSums,
                         [&databases, filter, order = call.given.order()](
                             const ask::Page& page, const std::stop_token& stop) {
                             return ask::game_rows(
                                 std::make_unique<Sources>(databases.open(), filter, stop), order,
                                 page, {.refs = true}, stop);
                         });
    };
    return route;
}

}  // namespace fendex::serve::api
