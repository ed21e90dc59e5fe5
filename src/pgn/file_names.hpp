// Which files hold games, by their names.
#pragma once

#include <string_view>

namespace fendex::pgn {

/// .pgn, .pgn.zst, .pgn.gz, .pgn.bz2 or .pgn.bz at the end, in upper or lower case.
bool is_pgn_name(std::string_view name);
/// .zip or .7z at the end, in upper or lower case.
bool is_container_name(std::string_view name);

}  // namespace fendex::pgn
