// The imported texts of games that could not be replayed; such games have no moves to write. Any
// thread may call of(), each with its own reader.
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
    /// Returns the text of a game, or nullopt if it was not kept. The first call reads the list of
    /// errors.
    std::optional<std::string> of(store::StoreReader& reader, store::GameId game);

  private:
    std::once_flag listed_;
    std::unordered_map<store::GameId, std::int64_t> errors_;  // the first error of each game
};

}  // namespace fendex::emit
