#include "cli/options/duplicates.hpp"

#include <algorithm>
#include <utility>

#include "cli/options/resources.hpp"
#include "store/sqlite/file_store.hpp"

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

/// The share of --memory for each table of values that is cached: facts and players.
constexpr std::size_t kValueShare = 8;

}  // namespace

std::vector<std::string> duplicate_kinds() {
    std::vector<std::string> names;
    for (const DuplicateKind kind : query::kDuplicateKinds) names.emplace_back(name_of(kind));
    return names;
}

std::vector<Option> duplicate_options() {
    std::vector<std::string> names;
    for (const auto& [name, keep] : kKeeps) names.emplace_back(name);
    return joined({{choice("keep", names, "game of each group to keep")}, resource_options()});
}

std::shared_ptr<store::Store> store_for_duplicates(const Arguments& arguments) {
    // Pages are read once or twice, so a large cache for each reader would be a waste.
    return store::file_store(
        arguments.only_database(),
        {.reader_bytes = std::size_t{8} << 20, .value_bytes = memory_of(arguments) / kValueShare});
}

store::SnapshotReaders readers_of(const Arguments& arguments, store::Store& store,
                                  const std::string& kind) {
    const bool similar = kind == "all" || kind == name_of(DuplicateKind::kSimilar);
    return {store, similar ? threads_of(arguments) : 1};
}

std::vector<query::DuplicateGroup> duplicates_of(const Arguments& arguments,
                                                 store::SnapshotReaders& readers,
                                                 query::GameMatcher& matcher,
                                                 const std::string& kind) {
    std::vector<DuplicateKind> kinds;
    for (const DuplicateKind each : query::kDuplicateKinds) {
        if (kind == "all" || kind == name_of(each)) kinds.push_back(each);
    }
    query::DuplicateOptions options;
    options.keep = keep_of(arguments);
    const std::size_t memory = memory_of(arguments);
    options.resources = {memory - 2 * (memory / kValueShare),
                         spill_directory(arguments.only_database())};
    for (unsigned i = 1; i < readers.size(); ++i) options.resources.readers.push_back(&readers[i]);
    return query::find_duplicates(readers[0], matcher, kinds, options);
}

}  // namespace fendex::cli
