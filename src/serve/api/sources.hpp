// How the API names the games of its databases.
#pragma once

#include <cstdint>
#include <string>

#include "ask/sources.hpp"
#include "base/json.hpp"
#include "serve/databases.hpp"

namespace fendex::serve::api {

using ask::Source;
using ask::Sources;

/// A game and its database.
struct GameRef {
    std::size_t database = 0;
    store::GameId game = 0;
};
/// Reads "17" or "2:17". Throws Refusal.
GameRef game_ref_of(const std::string& text, const Databases& databases);

}  // namespace fendex::serve::api
