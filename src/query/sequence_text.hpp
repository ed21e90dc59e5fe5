// Reads the steps of a sequence as people write them. Errors are values and say where the text is
// wrong. Any thread may use it.
//
// A step is words with blanks between them: a partial board, material (query/pattern_text.hpp;
// conditions without blanks inside), a move (query/move_text.hpp), and
//   white, black   the side to move
//   quiet          the move captures nothing
//   any            any position
//   within N       the step begins at most N plies after the end of the one before
// All of them must hold at the same ply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/pattern_sequence.hpp"
#include "query/pattern_text.hpp"

namespace fendex::query {

struct SequenceText {
    PatternText pattern;                   // of the first step
    std::optional<std::string_view> move;  // the rest of the first step, as a step
    std::vector<std::string_view> then;    // the steps that follow
    /// For steps that do not have their own `within`.
    std::uint32_t within = PatternStep::kAnyTime;
};

struct SequenceResult {
    std::optional<PatternSequence> sequence;  // empty if a text is wrong
    std::string_view field;                   // "pattern", "material", "move" or "then" if so
    std::string error;                        // what is wrong, and where
};

[[nodiscard]] SequenceResult parse_sequence(const SequenceText& text);

}  // namespace fendex::query
