// Conditions on the texts of games, by the rules of base/text_fold.hpp. The servers compare ASCII
// texts with regular expressions, or select candidates among them. This program compares the
// candidates and all other texts.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/key_text.hpp"
#include "base/text_fold.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/game_column.hpp"
#include "store/players.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

using Names = std::vector<std::string>;

/// Returns the names of a kind that `fits` accepts, and those that are joined with them. `fits`
/// must not accept a name that lacks one of the words. The names are kept in the snapshot's cache
/// under the key `question`, which has all values of the condition.
[[nodiscard]] std::shared_ptr<const Names> names_that_fit(
    ReadSession& session, store::NameKind kind, const base::NameWords& words,
    const base::KeyText& question, const std::function<bool(std::string_view)>& fits);

/// Returns the name of the player that equals the typed one; if there is none, the names that are
/// equal after folding. With them come the names that they are joined with.
[[nodiscard]] std::shared_ptr<const Names> players_named(ReadSession& session,
                                                         const std::string& typed);

/// Returns exactly these names, and those that they are joined with.
[[nodiscard]] std::shared_ptr<const Names> names_joined_with(ReadSession& session,
                                                             store::NameKind kind,
                                                             std::span<const std::string> names);

/// Returns the players' names that are asked for, and those that they are joined with; null: all.
[[nodiscard]] std::shared_ptr<const Names> names_of_players(ReadSession& session,
                                                            const store::AskedPlayers& asked);

/// A condition on a column of texts of table game.
struct TextCondition {
    std::string ascii;                   // SQL that selects the ASCII texts that fit
    std::shared_ptr<const Names> names;  // all other texts that fit
};

/// Returns the condition for sites: each typed word must begin a different word of the site.
[[nodiscard]] TextCondition site_condition(ReadSession& session, const std::string& typed);
/// Returns the condition for terminations: one of the game's, after folding, must begin with
/// `typed`.
[[nodiscard]] TextCondition termination_condition(ReadSession& session, const std::string& typed);

}  // namespace fendex::clickhouse
