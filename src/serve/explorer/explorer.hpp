// The routes of the Lichess opening explorer's API: the same parameters, and answers with the same
// members in the same order, so that its clients need not know the difference.
#pragma once

#include <vector>

#include "serve/databases.hpp"
#include "serve/routes.hpp"

namespace fendex::serve {

/// What each family of routes sums up.
struct ExplorerDatabases {
    Databases masters;
    Databases lichess;
    Databases player;
};

std::vector<Route> explorer_routes(const ExplorerDatabases& databases);

}  // namespace fendex::serve
