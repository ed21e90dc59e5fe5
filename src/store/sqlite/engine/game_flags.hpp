// Flags for the games of a chunk: which of their values fit a condition. Without jumps where it can
// be, because this is done for every game of a database.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/columns.hpp"
#include "store/game_filter.hpp"
#include "store/sqlite/engine/game_conditions.hpp"

namespace fendex::store {

/// 1 for each game that fits, else 0.
using GameFlags = std::array<std::uint8_t, codec::kGamesPerChunk>;

/// Sets the flags of values that are in a range, and clears those of other values.
inline void flag_range(const NumberRange& range, std::span<const std::uint32_t> values,
                       GameFlags& flags) {
    // One comparison, which compilers can vectorise. Below `low` the difference is a large number.
    if (range.low > range.high) {
        std::ranges::fill(flags, std::uint8_t{0});
        return;
    }
    const std::uint32_t low = range.low;
    const std::uint32_t size = range.high - low;
    for (std::size_t i = 0; i < values.size(); ++i) {
        flags[i] = values[i] - low <= size ? 1 : 0;
    }
}

/// Sets the flags of values that a table marks, and clears those of other values.
inline void flag_table(const std::vector<bool>& table, std::span<const std::uint32_t> values,
                       GameFlags& flags) {
    constexpr std::size_t kFewCodes = 32;
    if (table.size() > kFewCodes) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            flags[i] = values[i] < table.size() && table[values[i]] ? 1 : 0;
        }
        return;
    }
    std::ranges::fill(flags, std::uint8_t{0});
    for (std::size_t code = 0; code < table.size(); ++code) {
        if (!table[code]) continue;
        for (std::size_t i = 0; i < values.size(); ++i) {
            flags[i] |= static_cast<std::uint8_t>(values[i] == code ? 1 : 0);
        }
    }
}

/// Sets the flags of values that fit a condition on numbers or codes, and clears the others.
inline void flag_values(const GameCondition& condition, std::span<const std::uint32_t> values,
                        GameFlags& flags) {
    if (condition.rule == GameCondition::Rule::kRange) {
        flag_range(condition.range, values, flags);
    } else {
        flag_table(condition.table, values, flags);
    }
}

}  // namespace fendex::store
