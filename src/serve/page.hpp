// The page for browsers. Its files are part of the program.
#pragma once

#include <vector>

#include "serve/routes.hpp"

namespace fendex::serve {

/// Returns the routes / and /assets/{file}. If the program was built without the page, / answers
/// with a text that says why.
[[nodiscard]] std::vector<Route> page_routes();

}  // namespace fendex::serve
