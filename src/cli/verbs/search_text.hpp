// How `evals` and `find` print what an engine found.
#pragma once

#include "chess/any_position.hpp"
#include "cli/output/output.hpp"
#include "codec/position_record.hpp"

namespace fendex::cli {

/// Appends the depth of a search and its nodes, if they are known, then a line for each PV.
void append_search(const chess::AnyPosition& position, const codec::Evaluation& search,
                   Output& output);

}  // namespace fendex::cli
