// Recognises files that hold games, or records of positions, by their names.
#pragma once

#include <string_view>

namespace fendex::pgn {

/// Returns whether a name ends with .pgn, .pgn.zst, .pgn.gz, .pgn.bz2 or .pgn.bz, in upper or lower
/// case.
bool is_pgn_name(std::string_view name);
/// Returns whether a name is one of records of positions: it ends with .jsonl or .epd, or these and
/// the end of a compressed file, in upper or lower case.
bool is_record_name(std::string_view name);
/// Returns whether a name ends with .zip or .7z, in upper or lower case.
bool is_container_name(std::string_view name);

}  // namespace fendex::pgn
