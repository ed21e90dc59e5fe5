// The functions that make the routes of the API, by subject.
#pragma once

#include <functional>
#include <string>

#include "serve/databases.hpp"
#include "serve/routes.hpp"

namespace fendex::serve::api {

Route position_route(Databases& databases);
Route tree_route(Databases& databases);
Route find_route(Databases& databases);
Route games_route(Databases& databases);
Route game_route(Databases& databases);
Route game_pgn_route(Databases& databases);
Route repeats_route(Databases& databases);
Route players_route(Databases& databases);
Route player_route(Databases& databases);
Route prepare_route(Databases& databases);
Route head_to_head_route(Databases& databases);
Route openings_route(Databases& databases);
Route export_route(Databases& databases);
Route novelty_route(Databases& databases);
Route stats_route(Databases& databases);

}  // namespace fendex::serve::api
