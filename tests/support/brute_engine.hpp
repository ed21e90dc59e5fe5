// The engine of brute stores (support/brute_store.hpp): looks at each game for each question.
#pragma once

#include <cstdint>
#include <memory>

#include "store/engine.hpp"
#include "store/local_reader.hpp"

namespace fendex::test {

/// All games of a database, replayed.
struct PlayedGames;

/// Reads the games of a database. Each gets its number plus `offset` as its id.
std::shared_ptr<const PlayedGames> played_games(store::StoreReader& reader, std::uint64_t offset);

/// Returns an engine of these games. Filters are evaluated by the reader's own engine; the reader
/// must outlive this one.
std::unique_ptr<store::Engine> brute_engine(store::LocalReader& reader,
                                            std::shared_ptr<const PlayedGames> games);

}  // namespace fendex::test
