// Rows of games in the form in which a database keeps them. The writer of another database of the
// same kind takes them without reading their tags.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "codec/game_facts.hpp"
#include "store/records.hpp"

namespace fendex::store {

class GameRows {
  public:
    /// The values that replaying a game needs. They were compared with their checksum.
    struct Game {
        GameId id = 0;
        codec::GameFacts facts;  // plies, variant and result only
        std::string_view start;  // canonical FEN; empty for the standard start
        std::string_view moves;
    };

    GameRows() = default;
    GameRows(const GameRows&) = delete;
    GameRows& operator=(const GameRows&) = delete;
    virtual ~GameRows() = default;

    /// The games, in the order of their ids. Valid as long as this object.
    [[nodiscard]] const std::vector<Game>& games() const { return games_; }

    /// Reads the names of the other database in the thread of the writer.
    std::shared_ptr<LocalReader> names;

  protected:
    std::vector<Game> games_;
};

}  // namespace fendex::store
