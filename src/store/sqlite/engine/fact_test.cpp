#include "store/sqlite/engine/fact_test.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "codec/columns.hpp"

namespace fendex::store {

namespace {

using Rule = GameCondition::Rule;

/// So many chunks show about how many games of all fit.
constexpr GameId kChunksOfSample = 256;

/// The columns of facts come first in GameColumn, in the order of codec::FactColumn.
constexpr codec::FactColumn fact_column(GameColumn column) {
    static_assert(static_cast<int>(GameColumn::kResult) ==
                  static_cast<int>(codec::FactColumn::kResult));
    static_assert(static_cast<int>(GameColumn::kPlies) ==
                  static_cast<int>(codec::FactColumn::kPlies));
    return static_cast<codec::FactColumn>(column);
}

bool is_on_facts(const GameCondition& condition) {
    return (condition.rule == Rule::kRange || condition.rule == Rule::kValues) &&
           std::ranges::all_of(condition.columns,
                               [](GameColumn column) { return column <= GameColumn::kPlies; });
}

void flag_values(const GameCondition& condition, std::span<const std::uint32_t> values,
                 GameFlags& flags) {
    if (condition.rule == Rule::kRange) {
        flag_range(condition.range, values, flags);
    } else {
        flag_table(condition.table, values, flags);
    }
}

}  // namespace

std::optional<FactTest> FactTest::of(const LocalReader& reader,
                                     std::span<const GameCondition> conditions) {
    if (!reader.has_whole_facts() || !std::ranges::all_of(conditions, is_on_facts)) return {};
    return FactTest(conditions);
}

void FactTest::flag(const codec::FactsChunk& facts, GameFlags& flags) const {
    std::array<std::uint32_t, codec::kGamesPerChunk> all_values;
    const std::span<std::uint32_t> values = std::span(all_values).first(facts.size());
    flags.fill(1);
    for (const GameCondition& condition : conditions_) {
        GameFlags of_condition{};
        for (const GameColumn column : condition.columns) {
            facts.column(fact_column(column), 0, values);
            GameFlags of_column{};
            flag_values(condition, values, of_column);
            for (std::size_t i = 0; i < flags.size(); ++i) of_condition[i] |= of_column[i];
        }
        for (std::size_t i = 0; i < flags.size(); ++i) flags[i] &= of_condition[i];
    }
}

bool FactTest::seem_to_be_more_than(std::uint64_t games, LocalReader& reader,
                                    base::StopCheck& stop) const {
    const GameId chunks = (reader.last_game() + codec::kGamesPerChunk - 1) / codec::kGamesPerChunk;
    const GameId most = std::min(chunks, kChunksOfSample);
    std::uint64_t fitting = 0;
    GameFlags flags;
    for (GameId i = 0; i < most; ++i) {
        stop();
        const GameId chunk = i * chunks / most;
        flag(reader.facts_of_chunk(chunk * codec::kGamesPerChunk + 1).facts, flags);
        fitting += std::accumulate(flags.begin(), flags.end(), std::uint64_t{0});
        if (fitting * chunks / most > games) return true;
    }
    return false;
}

}  // namespace fendex::store
