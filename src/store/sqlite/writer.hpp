// The writer of a SQLite database.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "store/sqlite/segmented_writer.hpp"

namespace fendex::store {

/// Opens a database for appending, and creates one that is not there. Throws StoreError for a file
/// that is no database, is another program's, or has a newer format, and if another process is
/// writing: `purpose` (a word, the verb) is what that process is told. `open` lives as long as the
/// writer.
[[nodiscard]] std::unique_ptr<SegmentedWriter> open_sqlite_writer(
    const std::string& path, std::string_view purpose = "write",
    std::shared_ptr<void> open = nullptr);

}  // namespace fendex::store
