// The engine (store/engine.hpp) of a database on this machine. It answers from the index and from
// columns of facts and names. Filters become sets of games, which are kept in the snapshot cache.
#pragma once

#include <memory>

#include "store/engine.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

/// The reader must outlive the engine.
[[nodiscard]] std::unique_ptr<Engine> make_local_engine(LocalReader& reader);

}  // namespace fendex::store
