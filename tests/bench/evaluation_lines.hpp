// Makes up a file of the shape of Lichess's evaluations, from the positions of games.
#pragma once

#include <cstdint>
#include <string>

#include "store/store_reader.hpp"

namespace fendex::bench {

/// Writes so many lines to a file; fewer if the games have fewer positions. All PVs are legal: the
/// first begins with the moves of the game, and has ten plies unless the game of chess ends before.
/// Seven lines of ten have one search with one PV, the others a second search with three or five.
/// Returns the number of lines.
std::uint64_t write_evaluation_lines(store::StoreReader& reader, std::uint64_t lines,
                                     std::uint64_t seed, const std::string& path);

}  // namespace fendex::bench
