// The writer of a SQLite database.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "store/sqlite/segments/segmented_writer.hpp"

namespace fendex::store {

/// Opens a database for appending, or creates it if it does not exist. Throws StoreError if the
/// file is not a database, belongs to another program, or has another format, or if another process
/// is writing. `purpose` (one word, the verb) is shown to other processes that try to write. The
/// writer keeps `open` as long as it lives.
[[nodiscard]] std::unique_ptr<SegmentedWriter> open_sqlite_writer(
    const std::string& path, std::string_view purpose = "write",
    std::shared_ptr<void> open = nullptr);

}  // namespace fendex::store
