// The fields of a filter of games.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ask/field.hpp"
#include "store/filter_error.hpp"
#include "store/game_filter.hpp"

namespace fendex::ask {

/// Returns all fields, in the order of help.
std::span<const Field<store::GameFilter>> filter_fields();

/// Sets a field of a filter from text. Throws store::FilterError.
void set_field(store::GameFilter& filter, std::string_view name, const std::string& value);

/// Returns the filter for a question about a position. The position itself has a variant, so a
/// variant filters games only if it is Chess960.
[[nodiscard]] store::GameFilter for_position(store::GameFilter filter);

}  // namespace fendex::ask
