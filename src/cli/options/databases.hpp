// The databases that a command line names: its first word and, for verbs that take several, the
// words after it that look like databases.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ask/sources.hpp"
#include "cli/options/arguments.hpp"

namespace fendex::cli {

struct NamedDatabases {
    std::vector<std::string> paths;  // as they were typed; at least one
    std::vector<std::string> words;  // the words after them
};

/// Splits the words into databases and the rest. The first word always names a database. The words
/// directly after it do, too, if they end with .db, are SQLite files or are URLs of clusters.
/// Throws UsageError if there are no words, if two paths lead to the same file, or if a database
/// comes after another word.
NamedDatabases databases_of(const Arguments& arguments);

/// Opens all databases that the command line names, before anything is printed. Throws StoreError
/// if one cannot be read.
std::vector<ask::OpenDatabase> open_databases(const Arguments& arguments);

/// Opens the only database of a verb that takes no other words. Throws UsageError or StoreError.
std::vector<ask::OpenDatabase> open_only_database(const Arguments& arguments);

/// Returns the value of $FENDEX_DB. Returns nothing if the variable is not set or is empty, or if
/// one of the words may be meant as a database.
std::optional<std::string> default_database(const std::vector<std::string>& words);

}  // namespace fendex::cli
