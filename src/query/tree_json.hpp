// An opening tree as JSON, in the form of the Lichess opening explorer, with additional members.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "query/opening_tree.hpp"

namespace fendex::query {

/// Adds the replies to a move to the move's object.
using AddReplies = std::function<void(const TreeMove&, json::Object&)>;

/// Adds the member "opening".
void add_opening(const std::optional<replay::Opening>& opening, json::Object& object);

/// A database that a tree was made of.
struct TreeDatabase {
    store::StoreReader* reader = nullptr;
    std::string_view name;  // printed with its games unless it is empty
    /// If set, games have a member "ref": this and their number.
    std::optional<std::string> ref_prefix = std::nullopt;
};

/// Adds the tree's members to an object, FENs in `dialect`. Games are looked up for their players,
/// in the databases that were asked, in the same order. add_replies is called for each move, to add
/// the last members of its object.
void add_tree(const Tree& tree, chess::FenDialect dialect, std::span<const TreeDatabase> databases,
              json::Object& object, const AddReplies& add_replies = {});
/// Appends one object for a tree of one database, without a line end.
void append_tree_json(const Tree& tree, chess::FenDialect dialect, store::StoreReader& reader,
                      std::string& out);

}  // namespace fendex::query
