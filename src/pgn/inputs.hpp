// The inputs named on a command line, with directories replaced by the archives in them. An archive
// here is any file of games, compressed or not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fendex::pgn {

/// Returns whether a file of this name is taken from a directory: the name ends with .pgn,
/// .pgn.zst, .pgn.gz, .pgn.bz2, .pgn.bz, .zip or .7z, in upper or lower case.
bool is_archive_name(std::string_view name);

/// Files and "-" stay as they are, whatever their names. A directory becomes the archives in it and
/// below, sorted by path (bytewise). Links are followed. If a file or directory can be reached in
/// several ways from one directory named, it is taken once, by its real path if that is below the
/// directory. A .zip or .7z archive, recognised by its content, becomes the files with games in it
/// (pgn/member_path.hpp), in the archive's order. If some of it cannot be read, the archive itself
/// is added too, so that open_source() reports this. `notices` receives sentences about files in
/// archives that are left out. Throws std::runtime_error, before anything is read, for a path that
/// does not exist or cannot be examined, and for a directory without an archive.
[[nodiscard]] std::vector<std::string> expand_inputs(const std::vector<std::string>& args,
                                                     std::vector<std::string>* notices = nullptr);

}  // namespace fendex::pgn
