// Writes an opening tree as JSON, in the form of the Lichess opening explorer, with additional
// members.
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

/// Adds the members white, draws and black.
void add_results(const codec::ResultCounts& results, json::Object& object);
/// Returns "white" or "black".
[[nodiscard]] std::optional<std::string_view> winner(codec::Result result);
/// Adds the member "opening".
void add_opening(const std::optional<replay::Opening>& opening, json::Object& object);

/// One of the databases of a tree.
struct TreeDatabase {
    store::StoreReader* reader = nullptr;
    std::string_view name;  // written with each of its games unless empty
    /// If set, each game gets a member "ref": this prefix followed by its number.
    std::optional<std::string> ref_prefix = std::nullopt;
};

/// Adds the tree's members to an object, with FENs in `dialect`. `databases` must be those of the
/// tree, in the same order; the headers of the named games are read from them. Calls add_replies
/// for each move, to add the last members of its object.
void add_tree(const Tree& tree, chess::FenDialect dialect, std::span<const TreeDatabase> databases,
              json::Object& object, const AddReplies& add_replies = {});

}  // namespace fendex::query
