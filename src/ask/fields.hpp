// Fields that several questions share, and lists of fields.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "ask/field.hpp"

namespace fendex::ask {

using Fields = std::vector<FieldText>;

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
/// Makes the field of a player's colour, which must be given.
[[nodiscard]] FieldText player_color_field(std::string help);

/// Returns the fields of a filter.
[[nodiscard]] Fields fields_of_filter();
/// Joins lists of fields. If two have the same name, keeps the first.
[[nodiscard]] Fields joined(std::initializer_list<Fields> lists);

}  // namespace fendex::ask
