// The names of variants: the one that is written, and the spellings of PGN files and servers that
// are read. Pure functions.
#pragma once

#include <span>
#include <string_view>

#include "chess/types.hpp"
#include "chess/variant_rules.hpp"

namespace fendex::chess {

/// The variant that a Variant tag or a word of the command line names, in any usual spelling: case,
/// blanks and punctuation of ASCII do not matter. kOther for one that is not known here.
Variant variant_of(std::string_view text);

/// The variant's name as it is written: "crazyhouse". "other" for kOther.
std::string_view name_of(Variant variant);

/// All that have rules here, in the order of their numbers.
std::span<const Variant> known_variants();

}  // namespace fendex::chess
