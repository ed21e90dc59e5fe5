// Conditions on the texts of games. The rules are those of base/text_fold.hpp: texts that are ASCII
// are compared by the servers with regular expressions or narrowed down, all others are compared
// here.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_fold.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

using Names = std::vector<std::string>;

/// Returns the names of a kind that `fits` accepts; a name that lacks one of the words cannot. They
/// are kept on the snapshot's shelf as `question`, which says all of the condition.
[[nodiscard]] std::shared_ptr<const Names> names_that_fit(
    ReadSession& session, store::NameKind kind, const base::NameWords& words,
    const std::string& question, const std::function<bool(std::string_view)>& fits);

/// Returns the names of players that equal a typed one; if there are none, those that do when they
/// are folded.
[[nodiscard]] std::shared_ptr<const Names> players_named(ReadSession& session,
                                                         const std::string& typed);

/// A condition on a column of texts of table game.
struct TextCondition {
    std::string ascii;                   // SQL that decides for texts that are ASCII
    std::shared_ptr<const Names> names;  // all other texts that fit
};

/// Sites of which each word begins another one.
[[nodiscard]] TextCondition site_condition(ReadSession& session, const std::string& typed);
/// Terminations, of several in a game one, that begin like this when they are folded.
[[nodiscard]] TextCondition termination_condition(ReadSession& session, const std::string& typed);

}  // namespace fendex::clickhouse
