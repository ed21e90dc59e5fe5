#include "store/capability.hpp"

#include <iterator>
#include <string_view>

#include "store/local_reader.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

namespace {

struct Words {
    Capability capability;
    std::string_view name;     // in the list of what a cluster does not answer
    std::string_view refused;  // in the message of a refusal
};

/// In the order of their numbers.
constexpr Words kWords[] = {
    {Capability::kPlayerScan, "names", "questions about all names"},
    {Capability::kVariationScan, "tree and novelty --variations",
     "searches that replay all games of a position"},
    {Capability::kEventScan, "events", "questions about all names"},
    {Capability::kDuplicateScan, "duplicates", "questions about all names"},
    {Capability::kSimilarNameScan, "names similar to those of a filter",
     "questions about all names"},
    {Capability::kSampleScan, "samples of positions", "samples of positions"},
    {Capability::kSwings, "the filter --swing", "the filter --swing"},
    {Capability::kJoinedSummary, "repeats --summary over several databases",
     "repeats --summary over several databases"},
    {Capability::kChangedTags, "exports with other tags than those of the games",
     "exports with other tags than those of the games"},
};

}  // namespace

std::string capability_names() {
    std::string out;
    for (const Words& each : kWords) {
        if (!out.empty()) out += &each == std::end(kWords) - 1 ? " and " : ", ";
        out += each.name;
    }
    return out;
}

LocalReader& require(StoreReader& reader, Capability capability) {
    if (LocalReader* const local = reader.local()) return *local;
    throw StoreError(StoreError::kUnsupported,
                     "a cluster does not answer " +
                         std::string(kWords[static_cast<std::size_t>(capability)].refused) +
                         ": ask the database that was pushed to it");
}

}  // namespace fendex::store
