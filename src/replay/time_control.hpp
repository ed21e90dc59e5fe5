// Reads the TimeControl tag: the forms of the PGN standard (section 9.6.1), and other forms that
// people write. Pure functions; safe for concurrent use.
#pragma once

#include <string_view>

#include "codec/game_facts.hpp"

namespace fendex::replay {

/// Returns the class by the estimated length of a game, the time for 40 moves with its increments,
/// as on Lichess: under 30 seconds ultraBullet, under 3 minutes bullet, under 8 blitz, under 25
/// rapid, else classical; a day or more per move is correspondence.
///
/// Values in the standard's form are seconds. In other forms, the meaning of each number must be
/// clear: "90 min for 40 moves + 30 s per move", "3'+2''", "40/120, 20/60, G/30". Returns kUnknown
/// if any part of a value is not understood, so that a game never gets a class that is too fast.
/// Also returns kUnknown for a value in the standard's form that is more likely in minutes, such as
/// "3+2" and "90+30", unless the game was played on a server, because servers write seconds.
codec::TimeClass time_class_of(std::string_view value, bool on_server);

/// Returns whether the tag Site names a server on the internet.
bool names_server(std::string_view site);

}  // namespace fendex::replay
