// Writes the manual page and the shells' completion scripts from the tables of verbs and options.
// The build runs the hidden `fendex --generate WHAT` to write them to files.
#pragma once

#include <string>
#include <vector>

#include "base/joined.hpp"
#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// `what` is man, complete-bash, complete-zsh or complete-fish. Throws UsageError for anything
/// else.
[[nodiscard]] std::string generate(const std::string& what, const std::string& version);

std::string man_page(const std::string& version);
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

/// A word of a verb's usage line: "DB", "[FEN]", "INPUT...".
struct Placeholder {
    std::string name;  // without brackets and dots
    bool repeated = false;
    bool file = false;
};
std::vector<Placeholder> placeholders(const Verb& verb);
/// Returns whether the word stands for a file: "DB", "FILE".
bool is_file(const std::string& placeholder);

/// Returns "--format", and also "-f" if the option has a letter.
std::vector<std::string> spellings(const Option& option);

/// Returns the first line of a verb's purpose.
std::string first_line(const Verb& verb);

}  // namespace fendex::cli
