#include "cli/verbs/open_databases.hpp"

#include <exception>
#include <utility>

#include "cli/options/databases.hpp"
#include "cli/options/store_at.hpp"

namespace fendex::cli {

OpenDatabase::OpenDatabase(const Arguments& arguments, std::string path,
                           const query::GameFilter& filter)
    : name(std::move(path)),
      store(store_at(arguments, name)),
      reader(store->reader()),
      matcher(*reader, filter),
      positions(*reader, matcher) {}

OpenDatabases::OpenDatabases(const Arguments& arguments, const query::GameFilter& filter) {
    const std::vector<std::string> paths = databases_of(arguments).paths;
    several_ = paths.size() > 1;
    std::exception_ptr missing;  // thrown if no database has the source
    for (const std::string& path : paths) {
        try {
            databases_.emplace_back(arguments, path, filter);
        } catch (const query::FilterError& error) {
            if (error.field() != "source") throw;
            if (!missing) missing = std::current_exception();
        }
    }
    if (databases_.empty()) std::rethrow_exception(missing);
}

std::vector<store::StoreReader*> OpenDatabases::readers() {
    std::vector<store::StoreReader*> readers;
    for (OpenDatabase& database : databases_) readers.push_back(&*database.reader);
    return readers;
}

}  // namespace fendex::cli
