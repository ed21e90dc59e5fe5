// The reader of a cluster.
#pragma once

#include <memory>

#include "clickhouse/snapshot.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

/// Opens a reader. Throws StoreError if the server cannot be reached or refuses, or if its tables
/// are missing, altered, or written by a newer version.
[[nodiscard]] std::unique_ptr<store::StoreReader> open_reader(
    Connection connection, std::shared_ptr<SnapshotSource> source);

}  // namespace fendex::clickhouse
