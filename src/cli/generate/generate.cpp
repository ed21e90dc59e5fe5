#include "cli/generate/generate.hpp"

#include <algorithm>
#include <sstream>

namespace fendex::cli {

std::string generate(const std::string& what, const std::string& version) {
    if (what == "man") return man_page(version);
    if (what == "complete-bash") return bash_completion();
    if (what == "complete-zsh") return zsh_completion();
    if (what == "complete-fish") return fish_completion();
    throw UsageError("--generate takes man, complete-bash, complete-zsh or complete-fish, not '" +
                     what + "'");
}

std::vector<Placeholder> placeholders(const Verb& verb) {
    std::vector<Placeholder> found;
    std::istringstream words(verb.usage);
    std::string word;
    while (words >> word) {
        Placeholder placeholder;
        placeholder.repeated = word.find("...") != std::string::npos;
        std::erase_if(word, [](char c) { return c == '[' || c == ']' || c == '.'; });
        placeholder.file = is_file(word);
        placeholder.name = std::move(word);
        found.push_back(std::move(placeholder));
    }
    return found;
}

bool is_file(const std::string& placeholder) {
    return placeholder == "DB" || placeholder == "FILE" || placeholder == "INPUT";
}

std::vector<std::string> spellings(const Option& option) {
    std::vector<std::string> found{"--" + option.name};
    if (option.letter != 0) found.push_back(std::string("-") + option.letter);
    return found;
}

std::string first_line(const Verb& verb) { return verb.purpose.substr(0, verb.purpose.find('\n')); }

}  // namespace fendex::cli
