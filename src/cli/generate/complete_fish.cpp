#include <algorithm>
#include <string>

#include "cli/generate/generate.hpp"
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

namespace {

/// Quotes text for fish, which knows \\ and \' between single quotes.
std::string fish_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + '\'';
}

void append_option(const std::string& condition, const Option& option, std::string& out) {
    out += "complete -c fendex -n " + condition + " -l " + option.name;
    if (option.letter != 0) out += std::string(" -s ") + option.letter;
    if (is_file(option.value)) {
        out += " -r -F";
    } else if (!option.choices.empty()) {
        out += " -x -a " + fish_quoted(base::joined(" ", option.choices));
    } else if (!option.value.empty()) {
        out += " -x";
    }
    out += " -d " + fish_quoted(option.help) + '\n';
}

}  // namespace

std::string fish_completion() {
    std::string out =
        "# fish completion for fendex, made from its own tables of options.\n"
        "complete -c fendex -f\n";
    Option help = flag("help", "show the verbs");
    help.letter = 'h';
    append_option("__fish_use_subcommand", help, out);
    append_option("__fish_use_subcommand", flag("version", "show the version"), out);
    for (const Verb& verb : verbs()) {
        out += "complete -c fendex -n __fish_use_subcommand -a " + verb.name + " -d " +
               fish_quoted(first_line(verb)) + '\n';
    }
    for (const Verb& verb : verbs()) {
        const std::string condition = fish_quoted("__fish_seen_subcommand_from " + verb.name);
        const std::vector<Placeholder> words = placeholders(verb);
        if (std::any_of(words.begin(), words.end(), [](const auto& word) { return word.file; })) {
            out += "complete -c fendex -n " + condition + " -F\n";
        }
        for (const Option& option : all_options(verb)) append_option(condition, option, out);
    }
    return out;
}

}  // namespace fendex::cli
