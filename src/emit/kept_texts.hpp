// The texts of games that could not be replayed, as they were imported: such a game has no moves
// that could be written anew. Any thread may ask, each with its own reader.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "store/store_reader.hpp"

namespace fendex::emit {

class KeptTexts {
  public:
    /// Nothing for a game whose text was not kept. The first call reads the list of errors.
    std::optional<std::string> of(store::StoreReader& reader, store::GameId game);

  private:
    std::once_flag listed_;
    std::unordered_map<store::GameId, std::int64_t> errors_;  // the first of each game
};

}  // namespace fendex::emit
