// The functions that make the routes of the API, by subject.
#pragma once

#include <vector>

#include "serve/databases.hpp"
#include "serve/routes.hpp"

namespace fendex::serve::api {

/// The routes of all questions of ask/questions.hpp.
std::vector<Route> question_routes(Databases& databases);
Route position_route(Databases& databases);
Route game_route(Databases& databases);
Route game_pgn_route(Databases& databases);
Route export_route(Databases& databases);
Route tree_pgn_route(Databases& databases);
Route stats_route(Databases& databases);
Route cloud_eval_route(Databases& databases);

}  // namespace fendex::serve::api
