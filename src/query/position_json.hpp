// Writes a position as JSON: its FEN in every dialect, EPD, key and status, with the names that the
// command line uses.
#pragma once

#include "base/json.hpp"
#include "chess/any_position.hpp"

namespace fendex::query {

/// Adds the members fen (in `dialect`), epd, key, variant, dialects, status, side, check,
/// legal_moves, result, fifty_moves, seventy_five_moves and insufficient_material. `variant` is the
/// position's variant; it distinguishes standard chess from Chess960.
void add_position(const chess::AnyPosition& position, chess::Variant variant,
                  chess::FenDialect dialect, json::Object& object);

}  // namespace fendex::query
