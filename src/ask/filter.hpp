// A filter of games as users of the library write it: texts and numbers. Installed for users.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fendex {

/// Conditions on games; all that are given must hold. Each has the meaning of the program's option
/// of the same name (`fendex games --help`).
struct Filter {
    std::string white = {};  // words of the name, in any order
    std::string black = {};
    std::string player = {};    // either side
    std::string opponent = {};  // of `player`
    std::string event = {};     // words, or the whole name after "="
    std::string site = {};
    std::string eco = {};  // "B90-B99"; compared with the tag ECO
    /// The opening by the moves: words of its name, and ECO codes.
    std::string opening = {};
    std::string opening_eco = {};
    std::string result = {};     // "1-0", "0-1", "1/2-1/2", "*"
    std::string since = {};      // "2004", "2004-11", "2004-11-05"
    std::string until = {};      // included
    std::string white_elo = {};  // "2500-2600", "2500-", "-2600"
    std::string black_elo = {};
    /// One of these: "ultrabullet", "bullet" (with ultrabullet), "blitz", "rapid", "classical",
    /// "correspondence".
    std::vector<std::string> time_control = {};
    std::string mode = {};  // "rated", "casual": the first word of the tag Event
    std::string variant = {};
    std::string termination = {};
    std::string source = {};               // the file that the game was imported from
    std::optional<unsigned> min_elo = {};  // both players'
    std::optional<unsigned> max_elo = {};
    std::optional<unsigned> min_plies = {};
    std::optional<unsigned> max_plies = {};
    /// Centipawns that a move lost: of `player`, if given, else of either player; of White; of
    /// Black.
    std::optional<unsigned> swing = {};
    std::optional<unsigned> white_swing = {};
    std::optional<unsigned> black_swing = {};
    std::vector<std::pair<std::string, std::string>> tags = {};  // name and exact value
};

}  // namespace fendex
