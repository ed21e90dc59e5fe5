// The games that fit, of all databases, in any order, some at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "ask/ranked_games.hpp"
#include "ask/rows.hpp"

namespace fendex::ask {

/// A place among them, from which a list can continue: in the order of numbers a database and the
/// number of a game, in another order the number of games before it.
class ListedGames {
  public:
    struct Game {
        store::GameId id = 0;
        Rows::Place after;  // the place after it
    };
    /// Games of one database.
    struct Some {
        Source* source = nullptr;
        std::vector<Game> games;  // as many as its reader reads at once; none after the last game
    };

    ListedGames(Sources& sources, store::GameOrder order, Rows::Place from, std::stop_token stop);

    /// Throws base::Stopped after a stop was requested.
    [[nodiscard]] Some next();

  private:
    Some next_by_number();
    Some next_by_rank();

    Sources& sources_;
    Rows::Place place_;
    std::stop_token stop_;
    bool by_number_;
    std::vector<store::GameId> numbers_;  // of the database of place_
    std::vector<PlacedGame> ranked_;
    std::size_t next_ = 0;  // index in numbers_ or ranked_
};

}  // namespace fendex::ask
