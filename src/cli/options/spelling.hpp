// The options --language and --figurine, which say how moves are written.
#pragma once

#include "chess/san_language.hpp"
#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// Throws UsageError, which lists the language codes, for an unknown one.
const chess::SanLanguage& language_of(const std::string& code);

std::vector<Option> spelling_options();
chess::SanSpelling spelling_of(const Arguments& arguments);

}  // namespace fendex::cli
