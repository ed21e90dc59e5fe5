// The inputs named on a command line, with directories replaced by the archives in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fendex::pgn {

/// Whether a file of this name is taken from a directory: .pgn, .pgn.zst, .pgn.gz, .pgn.bz2,
/// .pgn.bz, .zip or .7z at its end, in upper or lower case.
bool is_archive_name(std::string_view name);

/// Files and "-" stay as they are, whatever they are called. A directory becomes the archives in it
/// and below, sorted by path (bytewise). Links are followed; a file or directory that can be
/// reached in several ways is taken once per directory named, by its real path if that is one. A
/// .zip or .7z archive, recognised by its content, becomes the files with games in it
/// (pgn/member_path.hpp), in the archive's order; it also stays itself if some of it cannot be
/// read, which open_source() then reports. `notices` gets sentences about files in archives that
/// are left out. Throws std::runtime_error, before anything is read, for a path that does not exist
/// or cannot be examined, and for a directory without an archive.
[[nodiscard]] std::vector<std::string> expand_inputs(const std::vector<std::string>& args,
                                                     std::vector<std::string>* notices = nullptr);

}  // namespace fendex::pgn
