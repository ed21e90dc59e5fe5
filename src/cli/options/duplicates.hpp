// The options of the verbs that look for duplicates, and how their groups are found.
#pragma once

#include <string>
#include <vector>

#include "cli/options/arguments.hpp"
#include "query/duplicate_games.hpp"

namespace fendex::cli {

/// Returns the names of the kinds of duplicates.
std::vector<std::string> duplicate_kinds();

/// Makes --keep and --memory.
std::vector<Option> duplicate_options();

/// Returns the groups of the kind with this name, or of "all" kinds, by those options.
std::vector<query::DuplicateGroup> duplicates_of(const Arguments& arguments,
                                                 store::StoreReader& reader,
                                                 query::GameMatcher& matcher,
                                                 const std::string& kind);

}  // namespace fendex::cli
