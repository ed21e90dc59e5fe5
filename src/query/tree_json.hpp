// An opening tree as JSON, in the shape of the Lichess opening explorer, with what that has not.
#pragma once

#include <string>

#include "query/opening_tree.hpp"

namespace fendex::query {

/// One object, without a line's end. Games are looked up for their players.
void append_tree_json(const Tree& tree, store::StoreReader& reader, std::string& out);

}  // namespace fendex::query
