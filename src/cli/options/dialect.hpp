// The option --dialect, which chooses the dialect of printed FENs.
#pragma once

#include "chess/fen.hpp"
#include "cli/options/arguments.hpp"

namespace fendex::cli {

chess::FenDialect dialect_of(const Arguments& arguments);
/// Throws UsageError if --dialect is given although the answer shows no FEN; `where` names the
/// answers that do.
void refuse_dialect_unless(bool shows_fens, const Arguments& arguments, const char* where);

}  // namespace fendex::cli
