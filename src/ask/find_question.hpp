// Reads the question of a search for games.
#pragma once

#include "ask/given.hpp"
#include "ask/hit_rows.hpp"
#include "ask/question.hpp"

namespace fendex::ask {

/// The fields of hits_question() besides the order and the filter.
[[nodiscard]] Fields hits_fields();
[[nodiscard]] bool has_pattern(const Given& given);
/// Returns a field that is given and goes only with a pattern; null if there is none.
[[nodiscard]] const char* field_of_patterns(const Given& given);
/// Reads the field `eval`. Throws QuestionError.
[[nodiscard]] std::optional<query::ScoreRange> evaluation_of(const Given& given);
/// Reads what to search for, by default the start. Throws QuestionError and store::FilterError.
[[nodiscard]] HitsQuestion hits_question(const Given& given);

}  // namespace fendex::ask
