// The games of each player, and the words of players' names, as a store keeps them beside the
// columns and names: a question about a player reads neither all games nor all names. The lists end
// somewhere; what comes after that is read from columns and names.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "base/stop_check.hpp"
#include "chess/types.hpp"
#include "store/records.hpp"

namespace fendex::store {

/// Belongs to its reader, and to the reader's thread and snapshot. Functions throw DamageError and
/// base::Stopped.
class PlayerLists {
  public:
    PlayerLists() = default;
    PlayerLists(const PlayerLists&) = delete;
    PlayerLists& operator=(const PlayerLists&) = delete;
    virtual ~PlayerLists() = default;

    /// Returns the last game of the lists; 0 if there are none.
    [[nodiscard]] virtual GameId last_game() const = 0;
    /// Returns the last id of the names in the lists; 0 if there are none.
    [[nodiscard]] virtual std::int64_t last_name() const = 0;

    /// Calls visit() with the games up to last_game() in which one of these players, whose codes
    /// ascend, has a colour; in no order that a caller may expect. Deleted games may be among them.
    virtual void for_each_game(std::span<const std::uint32_t> players, base::StopCheck& stop,
                               const std::function<void(std::uint32_t player, GameId game,
                                                        chess::Color color)>& visit) = 0;
    /// Calls visit() with the folded names up to last_name() that have a word with this beginning.
    /// A name comes several times if several words have it.
    virtual void for_each_name(
        std::string_view beginning, base::StopCheck& stop,
        const std::function<void(std::int64_t id, std::string_view folded)>& visit) = 0;
};

}  // namespace fendex::store
