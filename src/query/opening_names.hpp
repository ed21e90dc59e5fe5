// ECO code and name of an opening, by position: an opening reached by another order of moves has
// the same name. The table, query/data/openings, is replayed at first use (some milliseconds). Any
// thread may use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "chess/position.hpp"

namespace fendex::query {

struct Opening {
    std::string_view eco;   // "C50"
    std::string_view name;  // "Italian Game: Giuoco Piano", in UTF-8
    std::string_view line;  // the moves that define it: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5"
};

/// Returns the opening of the position with this key; empty if the table does not have it. If
/// several lines of the table lead to one position, the first one names it.
std::optional<Opening> opening_of(std::uint64_t key);
inline std::optional<Opening> opening_of(const chess::Position& position) {
    return opening_of(position.key());
}

}  // namespace fendex::query
