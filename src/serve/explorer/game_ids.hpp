// The ids of games in the explorer: the id on lichess.org if the game is from there, else its
// number. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "store/records.hpp"

namespace fendex::serve::explorer {

/// Returns the id in the address of a game on lichess.org: "abcd1234" for
/// "https://lichess.org/abcd1234/black#12". Empty for any other text.
std::string_view lichess_id(std::string_view site);

/// A game, with the index of its database.
struct GamePlace {
    std::size_t database = 0;
    store::GameId game = 0;

    bool operator==(const GamePlace&) const = default;
};

/// Returns the id of a game with this tag Site: "abcd1234" if it is from lichess.org, else "17", or
/// "2:17" in the second database.
std::string id_of(const GamePlace& place, std::string_view site);
/// Reads "17" or "2:17"; empty for any other text.
std::optional<GamePlace> numbered_place(std::string_view id);

}  // namespace fendex::serve::explorer
