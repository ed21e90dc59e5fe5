// What a user may have meant when nothing was found: a word or two on stderr, never an answer.
#pragma once

#include <optional>

#include "chess/any_position.hpp"
#include "cli/options/arguments.hpp"
#include "query/game_filter.hpp"
#include "query/position_match.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

/// What was asked for besides the conditions on games.
struct Sought {
    std::optional<chess::AnyPosition> position = {};
    query::Match match = query::Match::kExact;
    bool variations = false;
};

/// Says why there may be no such game, if that can be told: the database has none of these rules,
/// no name fits, no variations are indexed, only other games reached the position, or games reached
/// it with another side to move. Nothing is said with --quiet.
void explain_nothing(const Arguments& arguments, store::StoreReader& reader,
                     const query::GameFilter& filter, const Sought& sought = {});

}  // namespace fendex::cli
