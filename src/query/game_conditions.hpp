// The conditions of a filter, each on one value of a game. A condition tells whether a game fits,
// and which games of the database do: that set is made by reading whole columns, and kept on the
// shelf of the snapshot, so that the same condition costs nothing in the next question.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_check.hpp"
#include "query/game_set.hpp"
#include "store/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// A game fits if one of the columns has a value that does.
struct GameCondition {
    /// Says all of the condition: two conditions of the same name are the same.
    std::string name;
    std::vector<store::GameColumn> columns;
    /// Values from low to high fit; if there is a table, those that it marks.
    store::NumberRange range;
    std::vector<bool> table;
    /// For a value that is only in the game's row; null if there are none.
    std::function<bool(std::string_view)> text_fits;
    /// If there are any, nothing else matters: a game fits if it fits all conditions of one of
    /// them.
    std::vector<std::vector<GameCondition>> either = {};
};

/// Returns the conditions of a filter, except for sources and tags. Names are looked up in the
/// reader's snapshot. Throws base::Stopped.
std::vector<GameCondition> conditions_of(store::StoreReader& reader,
                                         const store::GameFilter& filter, base::StopCheck& stop);

bool fits(store::StoreReader& reader, const GameCondition& condition, store::GameId game);
/// Returns the games that fit. Deleted games may be among them.
std::shared_ptr<const GameSet> games_that_fit(store::StoreReader& reader,
                                              const GameCondition& condition,
                                              base::StopCheck& stop);
/// Returns the games of the database, without deleted ones.
std::shared_ptr<const GameSet> existing_games(store::StoreReader& reader);

}  // namespace fendex::query
