#include "ask/sources.hpp"

#include <exception>
#include <utility>

#include "store/filter_error.hpp"

namespace fendex::ask {

OpenDatabase open_database(std::string name, std::size_t index,
                           std::shared_ptr<store::Store> store) {
    store::Reader reader = store->reader();
    return {std::move(name), index, std::move(store), std::move(reader)};
}

Sources::Sources(std::vector<OpenDatabase> databases, const store::GameFilter& filter,
                 const std::stop_token& stop, std::optional<std::size_t> only)
    : Sources(&databases, filter, stop, only) {
    own_ = std::move(databases);  // its elements stay where they are
}

Sources::Sources(std::vector<OpenDatabase>* databases, const store::GameFilter& filter,
                 const std::stop_token& stop, std::optional<std::size_t> only)
    : opened_(databases->size()) {
    std::exception_ptr missing;  // thrown if no database has the source
    for (OpenDatabase& open : *databases) {
        if (only && open.index != *only) continue;
        try {
            sources_.emplace_back(open, filter, stop);
        } catch (const store::FilterError& error) {
            if (error.field() != "source") throw;
            if (!missing) missing = std::current_exception();
        }
    }
    if (sources_.empty() && missing) std::rethrow_exception(missing);
}

std::vector<store::StoreReader*> Sources::readers() {
    std::vector<store::StoreReader*> readers;
    for (Source& source : sources_) readers.push_back(source.reader);
    return readers;
}

std::vector<query::TreeSource> Sources::of_trees() {
    std::vector<query::TreeSource> trees;
    for (Source& source : sources_) trees.push_back({source.reader, &source.positions});
    return trees;
}

}  // namespace fendex::ask
