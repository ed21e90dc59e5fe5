// The routes of the server's own API, /api/v1. They answer what the command line answers, with the
// same names and shapes.
#pragma once

#include <vector>

#include "serve/databases.hpp"
#include "serve/routes.hpp"

namespace fendex::serve {

/// The databases must outlive the routes.
std::vector<Route> api_routes(Databases& databases);

}  // namespace fendex::serve
