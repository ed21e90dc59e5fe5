#include "store/sqlite/engine/fact_test.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "codec/columns.hpp"
#include "store/game_chunks.hpp"

namespace fendex::store {

namespace {

using Rule = GameCondition::Rule;

/// So many chunks show about how many games of all fit.
constexpr GameId kChunksOfSample = 256;

bool are_on_facts(std::span<const GameCondition> conditions);

bool is_on_facts(const GameCondition& condition) {
    if (condition.rule == Rule::kEither) {
        return std::ranges::all_of(condition.either, are_on_facts);
    }
    return (condition.rule == Rule::kRange || condition.rule == Rule::kValues) &&
           std::ranges::all_of(condition.columns, [](GameColumn column) {
               return fact_of(column) || column == GameColumn::kEloSum;
           });
}

bool are_on_facts(std::span<const GameCondition> conditions) {
    return std::ranges::all_of(conditions, is_on_facts);
}

/// Writes the values of a column for all games of a chunk.
void read(const codec::FactsChunk& facts, GameColumn column, std::span<std::uint32_t> out) {
    if (column != GameColumn::kEloSum) return facts.column(fact_of(column).value(), 0, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = elo_sum(facts.white_elo(i), facts.black_elo(i));
    }
}

void add(const GameFlags& more, GameFlags& flags) {
    for (std::size_t i = 0; i < flags.size(); ++i) flags[i] |= more[i];
}

}  // namespace

std::optional<FactTest> FactTest::of(const LocalReader& reader,
                                     std::span<const GameCondition> conditions) {
    if (!reader.has_whole_facts() || !are_on_facts(conditions)) return {};
    return FactTest(conditions);
}

void FactTest::flag(const codec::FactsChunk& facts, GameFlags& flags) const {
    flag_all(conditions_, facts, flags);
}

void FactTest::flag_all(std::span<const GameCondition> conditions, const codec::FactsChunk& facts,
                        GameFlags& flags) {
    flags.fill(1);
    for (const GameCondition& condition : conditions) {
        GameFlags of_condition{};
        flag_one(condition, facts, of_condition);
        for (std::size_t i = 0; i < flags.size(); ++i) flags[i] &= of_condition[i];
    }
}

/// All flags must be 0.
void FactTest::flag_one(const GameCondition& condition, const codec::FactsChunk& facts,
                        GameFlags& flags) {
    GameFlags some;
    for (const std::vector<GameCondition>& all : condition.either) {
        flag_all(all, facts, some);
        add(some, flags);
    }
    std::array<std::uint32_t, codec::kGamesPerChunk> all_values;
    const std::span<std::uint32_t> values = std::span(all_values).first(facts.size());
    for (const GameColumn column : condition.columns) {
        read(facts, column, values);
        some.fill(0);
        flag_values(condition, values, some);
        add(some, flags);
    }
}

bool FactTest::seem_to_be_more_than(std::uint64_t games, LocalReader& reader,
                                    base::StopCheck& stop) const {
    const GameId chunks = chunks_up_to(reader.last_game());
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
