// The options of the verbs that look for duplicates, and how their groups are found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/options/arguments.hpp"
#include "query/duplicate_games.hpp"
#include "store/snapshot_readers.hpp"

namespace fendex::cli {

/// Returns the names of the kinds of duplicates.
std::vector<std::string> duplicate_kinds();

/// Makes --keep, --threads and --memory.
std::vector<Option> duplicate_options();

/// Returns the store for the only database, with caches for a search by those options.
std::shared_ptr<store::Store> store_for_duplicates(const Arguments& arguments);

/// Returns a reader for each thread that looks for groups of the kind with this name, or of "all".
store::SnapshotReaders readers_of(const Arguments& arguments, store::Store& store,
                                  const std::string& kind);

/// Returns the groups of the kind by those options. `matcher` must be of the first reader.
std::vector<query::DuplicateGroup> duplicates_of(const Arguments& arguments,
                                                 store::SnapshotReaders& readers,
                                                 query::GameMatcher& matcher,
                                                 const std::string& kind);

}  // namespace fendex::cli
