#include "cli/options/store_at.hpp"

#include <cstdlib>
#include <fstream>

#include "clickhouse/open.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

Option password_file_option() {
    const char* const help =
        clickhouse::has_clusters()
            ? "if DB is a cluster, clickhouse://[user@]host[:8123]/database (or clickhouses://, "
              "with TLS): a file whose first line is the password (default: $CLICKHOUSE_PASSWORD)"
            : "not in this build, which cannot query clusters";
    Option option = valued("password-file", "FILE", help);
    option.noted = false;
    return option;
}

std::string password_of(const Arguments& arguments) {
    const auto path = arguments.find("password-file");
    if (!path) {
        const char* const value = std::getenv("CLICKHOUSE_PASSWORD");
        return value == nullptr ? std::string() : value;
    }
    std::ifstream file(*path, std::ios::binary);
    std::string line;
    std::getline(file, line);
    if (!file.is_open() || file.bad()) {
        throw UsageError("--password-file '" + *path + "' cannot be read");
    }
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

std::shared_ptr<store::Store> store_at(const Arguments& arguments, const std::string& location,
                                       const store::CacheSizes& caches) {
    if (!clickhouse::is_cluster(location)) return store::file_store(location, caches);
    return clickhouse::open(location, caches, password_of(arguments));
}

}  // namespace fendex::cli
