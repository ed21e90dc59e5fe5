// The databases that a command line names: its first word and, for verbs that take several, the
// words after it that look like databases.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

struct NamedDatabases {
    std::vector<std::string> paths;  // as they were typed; at least one
    std::vector<std::string> words;  // the words after them
};

/// The first word always names a database. Each word after it does, too, if it ends with .db, is
/// an SQLite file or is the URL of a cluster, up to the first that does not. Throws UsageError if
/// there are no words, if two paths lead to the same file, and if a later word is a database.
NamedDatabases databases_of(const Arguments& arguments);

/// Returns the value of $FENDEX_DB if none of the words can be meant as a database. It is empty if
/// the variable is not set, or is empty.
std::optional<std::string> default_database(const std::vector<std::string>& words);

}  // namespace fendex::cli
