// Rows of players, openings and events: what `players`, `openings` and `events` list.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "emit/rows.hpp"
#include "query/event_list.hpp"
#include "query/opening_sums.hpp"
#include "query/player_list.hpp"

namespace fendex::emit {

inline constexpr std::array<std::string_view, 6> kPlayerColumns = {
    "name", "games", "white", "black", "first_year", "last_year"};
/// Returns the cells of kPlayerColumns, as views into the player.
std::vector<Cell> player_cells(const query::PlayerCount& player);

inline constexpr std::array<std::string_view, 10> kOpeningColumns = {
    "eco",   "opening", "games",          "white",      "draws",
    "black", "score",   "average_rating", "first_year", "last_year"};
/// Returns the cells of kOpeningColumns, as views into the sum.
std::vector<Cell> opening_cells(const query::OpeningSum& opening);

inline constexpr std::array<std::string_view, 7> kEventColumns = {
    "event", "games", "players", "sites", "average_rating", "first_year", "last_year"};
/// Returns the cells of kEventColumns, as views into the event.
std::vector<Cell> event_cells(const query::Event& event);

}  // namespace fendex::emit
