// How calls of the API name databases and games in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "ask/fields.hpp"
#include "ask/given.hpp"
#include "ask/sources.hpp"
#include "base/json.hpp"
#include "serve/databases.hpp"

namespace fendex::serve::api {

using ask::Source;
using ask::Sources;

/// The parameter that names one of the databases.
ask::FieldText database_field();

/// The databases that a call asks: all that are served, or only one of them.
struct AskedDatabases {
    Databases& databases;
    std::optional<std::size_t> only;  // its index

    [[nodiscard]] std::shared_ptr<Sources> open(const store::GameFilter& filter,
                                                const std::stop_token& stop) const;
};
/// Reads the parameter `database`. Throws QuestionError if there is no such database.
AskedDatabases asked_databases(const ask::Given& given, Databases& databases);

/// A game and its database.
struct GameRef {
    std::size_t database = 0;
    store::GameId game = 0;
};
/// Reads "17" or "2:17". Throws Refusal.
GameRef game_ref_of(const std::string& text, const Databases& databases);

}  // namespace fendex::serve::api
