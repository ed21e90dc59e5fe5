// The conditions of a filter, each on one value of a game (condition_games.hpp evaluates them).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "store/game_filter.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

/// A game fits if its value in one of the columns fits.
struct GameCondition {
    enum class Rule : std::uint8_t {
        kRange,         // the value is in `range`
        kValues,        // the value is one of `values`
        kWords,         // the name has the words of `text`
        kExactName,     // the name is `text`, or equals it after folding if there is none
        kBeginning,     // the text begins with `text`
        kEco,           // the code is from `text` to `text_end`
        kOpeningWords,  // the opening's name has the words of `text`
        kOpeningEco,    // the opening's code is from `text` to `text_end`
        kEither,        // the game fits all conditions of one list of `either`
    };
    Rule rule = Rule::kRange;
    std::vector<GameColumn> columns = {};
    NumberRange range = {};
    std::vector<std::uint32_t> values = {};
    std::string text = {};
    std::string text_end = {};
    std::vector<std::vector<GameCondition>> either = {};

    // These follow from the members above and the names in the snapshot.
    std::vector<bool> table = {};             // marks the codes that fit
    std::vector<std::uint32_t> players = {};  // these codes, ascending, if the columns have players
    base::NameWords words = {};               // of `text`, for kWords

    /// Returns whether a value fits that has no code and is only in the game's row.
    [[nodiscard]] bool fits_text(std::string_view value) const;
};

/// Returns a key that two conditions share only if they are equal: the same games of a snapshot
/// fit.
std::string key_of(const GameCondition& condition);

/// Returns the condition that a player's name has these words.
GameCondition player_condition(LocalReader& reader, const std::string& typed, GameColumn column,
                               base::StopCheck& stop);

/// Returns the conditions of a filter, except for sources and tags. Names are looked up in the
/// reader's snapshot. If there are records of positions, games without
/// a known swing fit, because the records may tell (record_swings.hpp). Throws base::Stopped.
std::vector<GameCondition> conditions_of(LocalReader& reader, const GameFilter& filter,
                                         base::StopCheck& stop);

}  // namespace fendex::store
