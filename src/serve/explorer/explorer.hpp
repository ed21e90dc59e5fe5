// The routes of the Lichess opening explorer's API. They take the same parameters, and their
// answers have the same members in the same order, so that its clients work unchanged.
#pragma once

#include <vector>

#include "serve/databases.hpp"
#include "serve/routes.hpp"

namespace fendex::serve {

/// The databases that each family of routes answers from.
struct ExplorerDatabases {
    Databases masters;
    Databases lichess;
    Databases player;
};

std::vector<Route> explorer_routes(const ExplorerDatabases& databases);

}  // namespace fendex::serve
