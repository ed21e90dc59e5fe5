// The verbs of the program: one file each, which describes the verb and runs it. Exit status: 0
// done or found, 1 nothing found, 2 error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

inline constexpr int kFound = 0;
inline constexpr int kNothingFound = 1;
inline constexpr int kError = 2;

Verb import_verb();
Verb find_verb();
Verb tree_verb();
Verb repeats_verb();
Verb games_verb();
Verb openings_verb();
Verb events_verb();
Verb players_verb();
Verb prepare_verb();
Verb novelty_verb();
Verb repertoire_verb();
Verb show_verb();
Verb evals_verb();
Verb evaluate_verb();
Verb export_verb();
Verb push_verb();
Verb serve_verb();
Verb fen_verb();
Verb names_verb();
Verb duplicates_verb();
Verb delete_verb();
Verb errors_verb();
Verb materialize_verb();
Verb compact_verb();
Verb sql_verb();
Verb info_verb();
Verb check_verb();
Verb repair_verb();
Verb backup_verb();
Verb upgrade_verb();

/// Makes a verb that this build does not have because this option of CMake was off.
Verb left_out(const std::string& name, const std::string& option);

/// Returns all verbs of this build, in the order of the help.
const std::vector<Verb>& verbs();

/// Returns the verb of this name; empty if there is none. Makes fewer verbs than verbs(). Throws
/// UsageError if this build leaves it out.
std::optional<Verb> verb_named(const std::string& name);

}  // namespace fendex::cli
