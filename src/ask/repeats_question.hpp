// Reads the question of a list of repetitions.
#pragma once

#include "ask/given.hpp"
#include "ask/question.hpp"
#include "ask/repetition_rows.hpp"

namespace fendex::ask {

/// The fields of repeats_question() besides position, order and filter.
[[nodiscard]] Fields repeats_fields();
/// Throws QuestionError and store::FilterError.
[[nodiscard]] RepeatsQuestion repeats_question(const Given& given);

}  // namespace fendex::ask
