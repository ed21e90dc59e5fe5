// ECO code and name of an opening, by position: an opening reached by another order of moves has
// the same name. The table is replay/data/openings. Any thread may use it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "chess/position.hpp"

namespace fendex::replay {

struct Opening {
    std::string_view eco;   // "C50"
    std::string_view name;  // "Italian Game: Giuoco Piano", in UTF-8
    std::string_view line;  // the moves that define it: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5"
    std::string_view text;  // as databases store it: "C50 Italian Game: Giuoco Piano"
};

/// Returns the opening of the position with this key; empty if the table does not have it. If
/// several lines of the table lead to one position, the first one names it.
std::optional<Opening> opening_of(std::uint64_t key);
inline std::optional<Opening> opening_of(const chess::Position& position) {
    return opening_of(position.key());
}

/// Returns the opening of the last of these positions that has one. Variants have keys of their
/// own, so their games have no opening.
std::optional<Opening> opening_of_game(std::span<const std::uint64_t> keys);

/// Splits a stored text into its parts; `line` stays empty.
Opening opening_of_text(std::string_view text);

/// Identifies the table of openings: a checksum of its codes, names and lines. Databases have it
/// (schema/FORMAT.md).
inline constexpr std::uint64_t kOpeningTableMark = 3'823'512'612;

}  // namespace fendex::replay
