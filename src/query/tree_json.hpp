// An opening tree as JSON, in the shape of the Lichess opening explorer, with what that has not.
#pragma once

#include <functional>
#include <string>

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "query/opening_tree.hpp"

namespace fendex::query {

/// Adds to a move's object what follows the move.
using AddReplies = std::function<void(const TreeMove&, json::Object&)>;

/// Adds the tree's members to an object, FENs in `dialect`. Games are looked up for their players.
/// add_replies is called for each move, as its object's last members.
void add_tree(const Tree& tree, chess::FenDialect dialect, store::StoreReader& reader,
              json::Object& object, const AddReplies& add_replies = {});
/// One object, without a line's end.
void append_tree_json(const Tree& tree, chess::FenDialect dialect, store::StoreReader& reader,
                      std::string& out);

}  // namespace fendex::query
