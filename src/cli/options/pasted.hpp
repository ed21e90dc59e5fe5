// The words of a command line that stand for positions.
#pragma once

#include <string>

namespace fendex::cli {

/// Returns whether the word begins a position. Otherwise it continues one that the shell split at
/// its blanks.
bool begins_position(const std::string& word);

/// Returns whether a word names a file of positions: it ends with .fen or .epd, in upper or lower
/// case, as no FEN does.
bool is_record_file(const std::string& word);

}  // namespace fendex::cli
