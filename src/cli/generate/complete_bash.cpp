#include <string>

#include "base/shell_quoted.hpp"
#include "cli/generate/generate.hpp"
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

namespace {

constexpr char kHead[] = R"(# bash completion for fendex, made from its own tables of options.

_fendex_choose() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_fendex_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_fendex() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local verb=${COMP_WORDS[1]} options='' valued='' files=0 i words=0
    COMPREPLY=()
)";

constexpr char kValues[] = R"(    # --format=json comes as three words.
    if [[ $cur == = ]]; then
        cur=''
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case "$verb $prev" in
)";

constexpr char kTail[] = R"(    esac
    if [[ $valued == *" $prev "* ]]; then
        return # a number, a name: nothing to choose from
    fi
    if [[ $cur == -* ]]; then
        _fendex_choose "$options" "$cur"
        return
    fi
    # The words so far that are neither options nor their values.
    for ((i = 2; i < COMP_CWORD; ++i)); do
        case ${COMP_WORDS[i]} in
        =) ((++i)) ;;
        -?*)
            if [[ $valued == *" ${COMP_WORDS[i]} "* && ${COMP_WORDS[i + 1]} != = ]]; then
                ((++i))
            fi
            ;;
        *) ((++words)) ;;
        esac
    done
    if ((words < files)); then
        _fendex_files "$cur"
    fi
}

complete -F _fendex fendex
)";

/// Returns how many of a verb's words are files; a very large number if all are.
unsigned file_words(const Verb& verb) {
    constexpr unsigned kAll = 1'000'000;
    unsigned count = 0;
    for (const Placeholder& word : placeholders(verb)) {
        if (!word.file) break;
        if (word.repeated) return kAll;
        ++count;
    }
    return count;
}

void append_bash_verb(const Verb& verb, std::string& out) {
    std::vector<std::string> options;
    std::vector<std::string> valued;
    for (const Option& option : all_options(verb)) {
        for (const std::string& name : spellings(option)) {
            options.push_back(name);
            if (!option.value.empty()) valued.push_back(name);
        }
    }
    out += "    " + verb.name + ")\n";
    out += "        options=" + base::shell_quoted(base::joined(" ", options)) + '\n';
    out += "        valued=" + base::shell_quoted(' ' + base::joined(" ", valued) + ' ') + '\n';
    out += "        files=" + std::to_string(file_words(verb)) + '\n';
    out += "        ;;\n";
}

/// Appends the case that completes the value of an option; nothing if it may be any text.
void append_values(const Verb& verb, const Option& option, std::string& out) {
    const bool file = is_file(option.value);
    if (option.choices.empty() && !file) return;
    std::vector<std::string> patterns;
    for (const std::string& name : spellings(option)) {
        patterns.push_back(base::shell_quoted(verb.name + ' ' + name));
    }
    out += "    " + base::joined(" | ", patterns) + ")\n";
    out += file ? "        _fendex_files \"$cur\"\n"
                : "        _fendex_choose " +
                      base::shell_quoted(base::joined(" ", option.choices)) + " \"$cur\"\n";
    out += "        return\n        ;;\n";
}

}  // namespace

std::string bash_completion() {
    std::vector<std::string> first_words;
    for (const Verb& verb : verbs()) first_words.push_back(verb.name);
    first_words.insert(first_words.end(), {"--help", "--version"});

    std::string out = kHead;
    out += "    if ((COMP_CWORD == 1)); then\n        _fendex_choose " +
           base::shell_quoted(base::joined(" ", first_words)) +
           " \"$cur\"\n        return\n    fi\n";
    out += "    case $verb in\n";
    for (const Verb& verb : verbs()) append_bash_verb(verb, out);
    out += "    *) return ;;\n    esac\n";
    out += kValues;
    for (const Verb& verb : verbs()) {
        for (const Option& option : all_options(verb)) append_values(verb, option, out);
    }
    return out + kTail;
}

}  // namespace fendex::cli
