// An opening tree as JSON, in the form of the Lichess opening explorer, with additional members.
#pragma once

#include <functional>
#include <string>

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "query/opening_tree.hpp"

namespace fendex::query {

/// Adds the replies to a move to the move's object.
using AddReplies = std::function<void(const TreeMove&, json::Object&)>;

/// Adds the tree's members to an object, FENs in `dialect`. Games are looked up for their players.
/// add_replies is called for each move, to add the last members of its object.
void add_tree(const Tree& tree, chess::FenDialect dialect, store::StoreReader& reader,
              json::Object& object, const AddReplies& add_replies = {});
/// Appends one object, without a line end.
void append_tree_json(const Tree& tree, chess::FenDialect dialect, store::StoreReader& reader,
                      std::string& out);

}  // namespace fendex::query
