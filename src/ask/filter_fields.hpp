// The fields of a filter of games.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ask/field.hpp"
#include "ask/filter.hpp"
#include "store/filter_error.hpp"
#include "store/game_filter.hpp"

namespace fendex::ask {

struct FilterField : Field<store::GameFilter> {
    /// The member of the library's filter; none for tags and the second player.
    std::variant<std::monostate, std::string Filter::*, std::optional<unsigned> Filter::*,
                 std::vector<std::string> Filter::*>
        member;
};

/// Returns all fields, in the order of help.
std::span<const FilterField> filter_fields();

/// Sets a field of a filter from text. Throws store::FilterError.
void set_field(store::GameFilter& filter, std::string_view name, const std::string& value);

/// Returns the filter for a question about a position. The position itself has a variant, so a
/// variant filters games only if it is Chess960.
[[nodiscard]] store::GameFilter for_position(store::GameFilter filter);

}  // namespace fendex::ask
