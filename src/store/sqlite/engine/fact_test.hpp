// Conditions that the facts of a game decide (codec/game_facts.hpp), tested chunk by chunk while
// the facts are being read for something else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/stop_check.hpp"
#include "codec/game_facts.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/game_conditions.hpp"
#include "store/sqlite/engine/game_flags.hpp"

namespace fendex::store {

/// Functions may be called by several threads at once.
class FactTest {
  public:
    /// Returns the test that games fit all conditions, which must outlive it; empty if facts do not
    /// decide one of them, or if the reader's facts are not whole.
    static std::optional<FactTest> of(const LocalReader& reader,
                                      std::span<const GameCondition> conditions);

    /// Sets the flags of the games that fit, from the first one of the chunk on. Deleted games may
    /// be among them.
    void flag(const codec::FactsChunk& facts, GameFlags& flags) const;

    /// Returns whether more games than these fit, as far as some chunks from all over the database
    /// show it. Throws base::Stopped.
    [[nodiscard]] bool seem_to_be_more_than(std::uint64_t games, LocalReader& reader,
                                            base::StopCheck& stop) const;

  private:
    explicit FactTest(std::span<const GameCondition> conditions) : conditions_(conditions) {}

    static void flag_all(std::span<const GameCondition> conditions, const codec::FactsChunk& facts,
                         GameFlags& flags);
    static void flag_one(const GameCondition& condition, const codec::FactsChunk& facts,
                         GameFlags& flags);

    std::span<const GameCondition> conditions_;
};

}  // namespace fendex::store
