// The names of variants: one for writing, and the spellings of PGN files and servers for reading.
// Pure functions.
#pragma once

#include <span>
#include <string_view>

#include "chess/types.hpp"
#include "chess/variant_rules.hpp"

namespace fendex::chess {

/// Returns the variant named by a Variant tag or on the command line, in any usual spelling: case,
/// blanks and ASCII punctuation do not matter. kOther if it is unknown.
Variant variant_of(std::string_view text);

/// Returns the variant's name for writing: "crazyhouse". "other" for kOther.
std::string_view name_of(Variant variant);

/// Returns all variants whose rules are known, in the order of their numbers.
std::span<const Variant> known_variants();

}  // namespace fendex::chess
