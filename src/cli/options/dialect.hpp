// --dialect: in which of its spellings a FEN is shown.
#pragma once

#include "chess/fen.hpp"
#include "cli/options/arguments.hpp"

namespace fendex::cli {

Option dialect_option();
chess::FenDialect dialect_of(const Arguments& arguments);
/// Throws UsageError where a dialect is asked for of an answer that shows no FEN; `where` says
/// which answers do.
void refuse_dialect_unless(bool shows_fens, const Arguments& arguments, const char* where);

}  // namespace fendex::cli
