// Writes a preparation against a player as JSON, with the names that the command line uses.
#pragma once

#include <span>
#include <string>

#include "base/json.hpp"
#include "query/preparation.hpp"

namespace fendex::query {

/// Adds the members names, color, the total score, repertoire, weak_spots, recent and lost.
void add_preparation(std::span<const std::string> names, chess::Color color,
                     const Preparation& found, json::Object& object);

}  // namespace fendex::query
