#include "store/named_sources.hpp"

#include <algorithm>
#include <iterator>

#include "store/filter_error.hpp"

namespace fendex::store {

namespace {

/// Returns the file names of the first few sources.
std::string names_of(const std::vector<StoredSource>& sources) {
    constexpr std::size_t kMostNamed = 8;
    std::string names;
    for (std::size_t i = 0; i < std::min(kMostNamed, sources.size()); ++i) {
        const std::string& path = sources[i].file.path;
        names += (i == 0 ? "" : ", ") + path.substr(path.rfind('/') + 1);
    }
    if (sources.size() > kMostNamed) names += ", ...";
    return names.empty() ? "none" : names;
}

}  // namespace

std::vector<StoredSource> sources_named(StoreReader& reader, const std::string& name) {
    const std::vector<StoredSource> all = reader.sources();
    std::vector<StoredSource> named;
    std::copy_if(all.begin(), all.end(), std::back_inserter(named),
                 [&](const StoredSource& source) {
                     return std::to_string(source.id) == name || source.file.path == name ||
                            source.file.path.ends_with('/' + name);
                 });
    if (named.empty()) {
        throw FilterError("source",
                          "there is no source '" + name + "'; there are " + names_of(all));
    }
    return named;
}

}  // namespace fendex::store
