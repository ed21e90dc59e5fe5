// Lists the files in a .zip or .7z archive: which of them hold games, and which cannot be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

struct ArchiveContents {
    /// The paths (pgn/member_path.hpp) of the files that hold games, in the archive's order: the
    /// files with PGN names, or the only file if none has.
    std::vector<std::string> inputs;
    /// A sentence about files that were left out because they have no PGN name; else empty.
    std::string left_out;
    /// Why the archive, or some of it, cannot be read.
    std::optional<SourceError> problem;
};

/// Lists an archive without decoding it.
[[nodiscard]] ArchiveContents list_archive(const std::string& path);

/// Returns whether this is a regular file that begins like a .zip or .7z archive.
[[nodiscard]] bool is_archive_file(const std::string& path);

}  // namespace fendex::pgn
