// --dialect: in which of its spellings a FEN is shown.
#pragma once

#include "chess/fen.hpp"
#include "cli/arguments.hpp"

namespace fendex::cli {

Option dialect_option();
chess::FenDialect dialect_of(const Arguments& arguments);

}  // namespace fendex::cli
