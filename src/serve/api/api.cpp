#include "serve/api/api.hpp"

#include <utility>

#include "serve/api/make_routes.hpp"

namespace fendex::serve {

std::vector<Route> api_routes(Databases& databases) {
    std::vector<Route> routes{
        api::position_route(databases), api::tree_route(databases),     api::find_route(databases),
        api::games_route(databases),    api::game_pgn_route(databases), api::game_route(databases),
        api::stats_route(databases),
    };
    for (Route& route : routes) {
        route.plan = [&databases, plan = std::move(route.plan)](const Call& call) {
            Task task = plan(call);
            // Lists are pages or lines.
            task.version = databases.version() + call.request->accept;
            return task;
        };
    }
    return routes;
}

}  // namespace fendex::serve
