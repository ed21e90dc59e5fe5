// The path of a file in a .zip or .7z archive, as an input: the path of the archive, a slash, and
// the name in the archive, as in games/twic1500g.zip/twic1500.pgn. No path of the file system looks
// like that, because a file is not a directory.
#pragma once

#include <optional>
#include <string>

namespace fendex::pgn {

struct MemberPath {
    std::string archive;
    std::string member;
};

/// Splits such a path; empty for any other. The member need not exist.
[[nodiscard]] std::optional<MemberPath> split_member(const std::string& path);

/// Returns the file on disk that an input is in: the archive of a member, else the path itself.
[[nodiscard]] std::string file_of(const std::string& path);

}  // namespace fendex::pgn
