// Pairs of players' names that probably are one person, with what speaks for and against it.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "store/store_reader.hpp"

namespace fendex::query {

/// A name of a player, and its games; names that are joined with it included.
struct NamedPlayer {
    std::string name;
    std::uint64_t games = 0;
    std::uint32_t first_year = 0;  // 0: no game has a date
    std::uint32_t last_year = 0;
    std::uint32_t rating = 0;  // the mean; 0: no game has one
};

struct ProbablePerson {
    NamedPlayer name;
    NamedPlayer canonical;  // the fuller name; of equally full ones that with more games
    unsigned score = 0;     // 1 to 99
    std::uint64_t common_opponents = 0;
    std::string reason;   // how the names are alike
    std::string against;  // empty: nothing speaks against it
};

/// Returns the pairs, those with the highest score first, then those with most games. Names are
/// compared only if their last names sound alike, or if games give them the same FIDE number.
/// Reads the columns of all games twice; the tags of all games if any has a FIDE number. Throws
/// base::Stopped after a stop was requested.
[[nodiscard]] std::vector<ProbablePerson> probable_persons(store::StoreReader& reader,
                                                           std::stop_token stop = {});

}  // namespace fendex::query
