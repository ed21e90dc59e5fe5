#include "serve/api/api.hpp"

#include <utility>

#include "serve/api/description.hpp"
#include "serve/api/make_routes.hpp"

namespace fendex::serve {

std::vector<Route> api_routes(Databases& databases) {
    std::vector<Route> routes = api::question_routes(databases);
    for (const auto make : {api::position_route, api::game_pgn_route, api::game_route,
                            api::export_route, api::tree_pgn_route, api::stats_route}) {
        routes.push_back(make(databases));
    }
    for (Route& route : routes) {
        route.plan = [&databases, plan = std::move(route.plan)](const Call& call) {
            Task task = plan(call);
            // A list has two forms, a page or lines, by the header Accept.
            task.version = databases.version() + call.request->accept;
            return task;
        };
    }
    routes.push_back(api::description_route(routes));
    routes.push_back(api::cloud_eval_route(databases));
    return routes;
}

}  // namespace fendex::serve
