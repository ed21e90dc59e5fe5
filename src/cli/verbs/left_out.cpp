#include "cli/verbs/left_out.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/joined.hpp"
#include "base/shell_quoted.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/say.hpp"
#include "cli/output/output.hpp"
#include "query/alike_names.hpp"

namespace fendex::cli {

namespace {

constexpr std::size_t kMostNamed = 5;

void say_names(const Arguments& arguments, const std::vector<query::AlikeName>& names) {
    if (names.empty()) return;
    const auto first = std::span(names).first(std::min(names.size(), kMostNamed));
    std::string text = "not counted: " + base::joined(", ", first, [](const auto& each) {
                           return '\'' + each.name + "' (" + counted(each.games, "game") + ')';
                       });
    if (names.size() > first.size()) {
        text += " and " + std::to_string(names.size() - first.size()) + " more";
    }
    const std::vector<std::string> databases = databases_of(arguments).paths;
    text += "; if this is one player: fendex names " +
            (databases.size() == 1 ? databases.front() : "DB") + " --join";
    std::vector<std::string> joined{names.front().of};
    for (const query::AlikeName& each : first) {
        if (each.of == names.front().of) joined.push_back(each.name);
    }
    // The fullest name stands for the others.
    std::iter_swap(joined.begin(), std::ranges::max_element(joined, {}, &std::string::size));
    for (const std::string& each : joined) text += ' ' + base::shell_quoted(each);
    say(text);
}

}  // namespace

void say_left_out(const Arguments& arguments, std::span<store::StoreReader* const> readers,
                  const query::GameFilter& filter) {
    if (!arguments.has("quiet")) say_names(arguments, query::alike_names(readers, filter));
}

void say_left_out(const Arguments& arguments, const query::PlayerChoice& choice) {
    if (arguments.has("quiet")) return;
    std::vector<query::AlikeName> names;
    for (const query::PlayerCount& each : choice.alike) {
        names.push_back({each.name, each.games, choice.named.front().name});
    }
    say_names(arguments, names);
}

}  // namespace fendex::cli
