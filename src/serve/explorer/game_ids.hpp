// The ids of games in the explorer. Clients expect eight characters: the id on lichess.org if the
// game is from there, else its number, which begins with a sign that no such id has. Pure
// functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "store/records.hpp"

namespace fendex::serve::explorer {

/// Returns whether a text has the form of an id on lichess.org: eight letters or digits.
bool is_lichess_id(std::string_view text);
/// Returns the id in the address of a game on lichess.org: "abcd1234" for
/// "https://lichess.org/abcd1234/black#12". Empty for any other text.
std::string_view lichess_id(std::string_view site);

/// A game, with the index of its database.
struct GamePlace {
    std::size_t database = 0;
    store::GameId game = 0;

    bool operator==(const GamePlace&) const = default;
};

/// Returns the id of a game with this tag Site, in one of `databases` databases: "abcd1234" if it
/// is from lichess.org, else "_" and seven digits to the base of 62: "_000000H" for game 17 of the
/// only database. Longer ("1:901943132160") only for games of a cluster into which hundreds of
/// files were pushed.
std::string id_of(const GamePlace& place, std::size_t databases, std::string_view site);
/// Reads what id_of() made of a number, and "17" or "2:17", the number itself and the database.
/// Empty for any other text.
std::optional<GamePlace> numbered_place(std::string_view id, std::size_t databases);

}  // namespace fendex::serve::explorer
