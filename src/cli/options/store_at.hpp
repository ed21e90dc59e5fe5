// The store of a database that a command line names: a file, or a cluster by its URL
// (clickhouse://host/database). Only verbs with the option --password-file take clusters.
#pragma once

#include <memory>
#include <string>

#include "cli/options/arguments.hpp"
#include "store/store.hpp"

namespace fendex::cli {

Option password_file_option();

/// Returns the first line of the file of --password-file, else the value of $CLICKHOUSE_PASSWORD,
/// else an empty text. Throws UsageError if the file cannot be read.
[[nodiscard]] std::string password_of(const Arguments& arguments);

/// Returns the store at a location. It may not exist: that shows when a reader is opened. Throws
/// StoreError if the URL of a cluster is wrong.
[[nodiscard]] std::shared_ptr<store::Store> store_at(const Arguments& arguments,
                                                     const std::string& location,
                                                     const store::CacheSizes& caches = {});

}  // namespace fendex::cli
