#include "cli/options/duplicates.hpp"

#include <algorithm>
#include <utility>

#include "cli/options/resources.hpp"

namespace fendex::cli {

namespace {

using query::DuplicateKind;
using query::Keep;

constexpr std::pair<const char*, Keep> kKeeps[]{{"best", Keep::kBest},
                                                {"first", Keep::kFirst},
                                                {"longest", Keep::kLongest},
                                                {"annotated", Keep::kAnnotated}};

Keep keep_of(const Arguments& arguments) {
    const std::string& name = arguments.get("keep");
    return std::ranges::find(kKeeps, name, [](const auto& each) { return each.first; })->second;
}

}  // namespace

std::vector<std::string> duplicate_kinds() {
    std::vector<std::string> names;
    for (const DuplicateKind kind : query::kDuplicateKinds) names.emplace_back(name_of(kind));
    return names;
}

std::vector<Option> duplicate_options() {
    std::vector<std::string> names;
    for (const auto& [name, keep] : kKeeps) names.emplace_back(name);
    return {choice("keep", names, "game of each group to keep"), memory_option()};
}

std::vector<query::DuplicateGroup> duplicates_of(const Arguments& arguments,
                                                 store::StoreReader& reader,
                                                 query::GameMatcher& matcher,
                                                 const std::string& kind) {
    std::vector<DuplicateKind> kinds;
    for (const DuplicateKind each : query::kDuplicateKinds) {
        if (kind == "all" || kind == name_of(each)) kinds.push_back(each);
    }
    query::DuplicateOptions options;
    options.keep = keep_of(arguments);
    options.memory = {memory_of(arguments), spill_directory(arguments.only_database())};
    return query::find_duplicates(reader, matcher, kinds, options);
}

}  // namespace fendex::cli
