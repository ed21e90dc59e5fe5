// The questions that surfaces read from what they were given, and the fields of each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ask/field.hpp"
#include "ask/given.hpp"
#include "ask/hit_rows.hpp"
#include "ask/repetition_rows.hpp"

namespace fendex::ask {

using Fields = std::vector<FieldText>;

// Fields that several questions share.
[[nodiscard]] Fields position_fields();  // fen, play, moves, variant
[[nodiscard]] FieldText match_field();
[[nodiscard]] FieldText dialect_field();
[[nodiscard]] FieldText sort_field();
[[nodiscard]] FieldText verify_field();
[[nodiscard]] FieldText flag_field(std::string name, std::string help);
[[nodiscard]] FieldText number_field(std::string name, std::string help, std::uint64_t low = 0);
/// The first choice applies if the field is not given.
[[nodiscard]] FieldText choice_field(std::string name, std::vector<std::string> choices,
                                     std::string help);

/// Returns the fields of a filter.
[[nodiscard]] Fields fields_of_filter();
/// Joins lists of fields. If two have the same name, keeps the first.
[[nodiscard]] Fields joined(std::initializer_list<Fields> lists);

/// The fields of hits_question() besides the order and the filter.
[[nodiscard]] Fields hits_fields();
[[nodiscard]] bool has_pattern(const Given& given);
/// Reads what to search for, by default the start. Throws QuestionError and store::FilterError.
[[nodiscard]] HitsQuestion hits_question(const Given& given);

/// The fields of repeats_question() besides position, order and filter.
[[nodiscard]] Fields repeats_fields();
/// Throws QuestionError and store::FilterError.
[[nodiscard]] RepeatsQuestion repeats_question(const Given& given);

}  // namespace fendex::ask
