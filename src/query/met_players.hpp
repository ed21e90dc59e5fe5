// Players who met each other, and whose names are nevertheless to be joined.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ingest/name_file.hpp"
#include "store/local_reader.hpp"

namespace fendex::query {

struct MetPlayers {
    std::string one;
    std::string other;
    std::uint64_t games = 0;  // between them
};

/// Returns the pairs of names that the joins of players would make one, but that games have on both
/// sides of the board; the pair with the most games first. Reads two columns of all games.
[[nodiscard]] std::vector<MetPlayers> players_who_met(store::LocalReader& reader,
                                                      std::span<const ingest::NamedJoin> joins);

}  // namespace fendex::query
