// Reads the parameters of the explorer's routes. All functions throw Refusal for values that cannot
// be read; a parameter without a value counts as absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "chess/any_position.hpp"
#include "query/game_filter.hpp"
#include "replay/opening_names.hpp"
#include "serve/routes.hpp"

namespace fendex::serve::explorer {

struct PositionRequest {
    chess::AnyPosition position;
    std::optional<replay::Opening> opening;  // the last named one on the way to the position
    bool too_much_material = false;          // more pieces than a game can have: no game reached it
};

/// Reads `variant`, `fen` and `play`.
PositionRequest position_of(const Call& call);

inline constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
std::size_t number_of(const Call& call, const char* name, std::size_t otherwise);
/// Reads `history`.
bool history_is_wanted(const Call& call);

/// Return how the explorer names them; nothing for unknown ones.
std::optional<std::string_view> name_of(codec::TimeClass speed);
std::optional<std::string_view> name_of(codec::Mode mode);

// Each of these reads some conditions of the filter.
void read_dates(const Call& call, query::GameFilter& filter);
void read_speeds(const Call& call, query::GameFilter& filter);
void read_ratings(const Call& call, query::GameFilter& filter);
void read_modes(const Call& call, query::GameFilter& filter);
/// Reads `player` and `color`, which are required; returns the colour.
chess::Color read_player(const Call& call, query::GameFilter& filter);

}  // namespace fendex::serve::explorer
