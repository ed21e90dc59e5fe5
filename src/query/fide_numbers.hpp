// The FIDE numbers of players, as the tags WhiteFideId and BlackFideId of their games give them.
// Const after construction.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/stop_check.hpp"
#include "store/joined_names.hpp"
#include "store/local_reader.hpp"

namespace fendex::query {

class FideNumbers {
  public:
    /// How many games give each number to a player.
    using Counts = std::map<std::uint64_t, std::uint32_t>;

    /// Reads the tags of all games if any has a FIDE number. Throws base::Stopped after a stop was
    /// requested.
    FideNumbers(store::LocalReader& reader, base::StopCheck& stop);

    /// The players that have numbers, by code (codec/game_codes.hpp); joined names are one.
    [[nodiscard]] const std::unordered_map<std::uint32_t, Counts>& players() const {
        return players_;
    }
    /// Returns the number that most games give to a player; 0 if there is none.
    [[nodiscard]] std::uint64_t most_frequent(std::uint32_t player) const;
    /// Returns the number of a player; 0 if there is none, or if games give several.
    [[nodiscard]] std::uint64_t only(std::uint32_t player) const;

  private:
    [[nodiscard]] const Counts* counts_of(std::uint32_t player) const;

    std::shared_ptr<const store::JoinedNames> joined_;
    std::unordered_map<std::uint32_t, Counts> players_;
};

}  // namespace fendex::query
