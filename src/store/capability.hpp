// The questions that need a scan of a whole database. Only a database on this machine answers them;
// a cluster refuses them. This list is the only place that says which ones they are.
#pragma once

#include <string>

namespace fendex::store {

class LocalReader;
class StoreReader;

enum class Capability {
    kPlayerScan,
    kVariationScan,
    kEventScan,
    kDuplicateScan,
    kSimilarNameScan,
    kSampleScan,
    kSwings,
    kJoinedSummary,
    kChangedTags,
};

/// Returns the names of all as a list: "a, b and c".
std::string capability_names();

/// Returns the reader itself. Throws a StoreError of kind kUnsupported if its database is not on
/// this machine.
LocalReader& require(StoreReader& reader, Capability capability);

}  // namespace fendex::store
