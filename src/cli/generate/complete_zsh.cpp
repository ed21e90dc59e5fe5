#include <string>

#include "base/shell_quoted.hpp"
#include "cli/generate/generate.hpp"
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

namespace {

/// Returns `text` with a backslash before each of these characters.
std::string escaped(const std::string& text, std::string_view characters) {
    std::string out;
    for (const char c : text) {
        if (characters.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

/// Returns ":what it is:how to complete it".
std::string message(const std::string& placeholder, const std::string& action) {
    return ':' + escaped(placeholder, ":\\") + ':' + action;
}

std::string file_action(bool file) { return file ? "_files" : " "; }

/// Returns an option in the form that _arguments reads: '--limit=[print at most N]:N: '.
std::string option_spec(const Option& option) {
    std::string rest = '[' + escaped(option.help, "[]\\") + ']';
    if (!option.value.empty()) {
        rest += message(option.value, option.choices.empty()
                                          ? file_action(is_file(option.value))
                                          : '(' + base::joined(" ", option.choices) + ')');
    }
    const std::string equals = option.value.empty() ? "" : "=";
    const std::string long_name = "--" + option.name + equals;
    const std::string star = option.repeatable ? "*" : "";
    if (option.letter == 0) return base::shell_quoted(star + long_name + rest);
    const std::string letter = std::string("-") + option.letter;
    // After one spelling the other is not offered, unless the option may be repeated.
    const std::string before = option.repeatable ? star : "(" + letter + " --" + option.name + ')';
    return base::shell_quoted(before) + '{' + letter + (option.value.empty() ? "" : "+") + ',' +
           long_name + '}' + base::shell_quoted(rest);
}

void append_zsh_verb(const Verb& verb, std::string& out) {
    out += "    " + verb.name + ")\n        _arguments -s";
    for (const Option& option : all_options(verb)) {
        out += " \\\n            " + option_spec(option);
    }
    unsigned number = 0;
    for (const Placeholder& word : placeholders(verb)) {
        const std::string which = word.repeated ? "*" : std::to_string(++number);
        out += " \\\n            " +
               base::shell_quoted(which + message(word.name, file_action(word.file)));
        if (word.repeated) break;  // zsh takes no other words after these
    }
    out += "\n        ;;\n";
}

}  // namespace

std::string zsh_completion() {
    std::string out =
        "#compdef fendex\n"
        "# zsh completion for fendex, made from its own tables of options.\n\n"
        "local curcontext=$curcontext state state_descr line ret=1\n"
        "typeset -A opt_args\n"
        "local -a verbs\n"
        "verbs=(\n";
    for (const Verb& verb : verbs())
        out += "    " + base::shell_quoted(verb.name + ':' + first_line(verb)) + '\n';
    out +=
        ")\n"
        "_arguments -C '(- *)'{-h,--help}'[show the verbs]' '(- *)--version[show the version]' \\\n"
        "    '1: :->verb' '*:: :->words' && return\n\n"
        "case $state in\n"
        "verb)\n"
        "    _describe -t verbs verb verbs\n"
        "    ;;\n"
        "words)\n"
        "    case $words[1] in\n";
    for (const Verb& verb : verbs()) append_zsh_verb(verb, out);
    return out +
           "    esac\n"
           "    ;;\n"
           "esac\n";
}

}  // namespace fendex::cli
