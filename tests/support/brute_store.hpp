// A store with an engine (store/engine.hpp) of its own, for tests: it replays all games of a
// database and answers by looking at each. Its readers are remote, like those of a cluster, and
// refuse what those refuse. Only filters are evaluated by the engine of the file.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "store/store.hpp"

namespace fendex::test {

/// Returns a store of the games of the database at `path`, as they are now. Each game has its
/// number plus `offset` as its id.
std::shared_ptr<store::Store> brute_store(const std::string& path, std::uint64_t offset = 0);

/// Counts the calls of readers of brute stores that would be a round trip for a cluster.
[[nodiscard]] std::atomic<std::uint64_t>& round_trips();

}  // namespace fendex::test
