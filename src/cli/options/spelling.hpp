// How moves are written: options of the verbs that print games.
#pragma once

#include "chess/san_language.hpp"
#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// Throws UsageError, with the codes there are.
const chess::SanLanguage& language_of(const std::string& code);

/// --language and --figurine.
std::vector<Option> spelling_options();
chess::SanSpelling spelling_of(const Arguments& arguments);

}  // namespace fendex::cli
