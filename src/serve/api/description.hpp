// The description of the API, OpenAPI 3.1, made from its table of routes and its schemas.
#pragma once

#include <span>
#include <string>

#include "serve/routes.hpp"

namespace fendex::serve::api {

/// Returns the description as JSON.
std::string description_of(std::span<const Route> routes);

/// Returns the route GET /api/openapi.json, which describes `routes` and itself.
Route description_route(std::span<const Route> routes);

}  // namespace fendex::serve::api
