#include "cli/options/tag_changes.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/cut.hpp"
#include "base/joined.hpp"

namespace fendex::cli {

std::vector<Option> tag_change_options() {
    const auto explained = [](const emit::FilledTags& each) {
        return std::string(each.name) + " (" + std::string(each.help) + ")";
    };
    return {valued("fill", "TAGS",
                   "tags to write in games that lack them, separated by commas: " +
                       base::joined(", ", emit::kFilledTags, explained)),
            choice("names", {"stored", "canonical"},
                   "names of players, events and places: as they came, or of joined names the one "
                   "that stands for the others (fendex names)")};
}

emit::TagChoice tag_choice_of(const Arguments& arguments) {
    emit::TagChoice out;
    out.canonical_names = arguments.get("names") == "canonical";
    const std::string given = arguments.find("fill").value_or("");
    for (std::string_view rest = given; !rest.empty();) {
        const std::string_view name = base::cut(rest, ',');
        const auto* const tags =
            std::ranges::find(emit::kFilledTags, name, &emit::FilledTags::name);
        if (tags == emit::kFilledTags.end()) {
            throw UsageError("--fill: '" + std::string(name) + "' is not one of " +
                             base::joined(", ", emit::kFilledTags, &emit::FilledTags::name));
        }
        out.fill[static_cast<std::size_t>(tags - emit::kFilledTags.begin())] = true;
    }
    return out;
}

}  // namespace fendex::cli
