// The shapes of answers, as the API describes them. A question states the shape of its answer
// beside what makes it.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace fendex::ask {

/// A member of an object. If it may be absent, its name ends with "?".
struct SchemaMember {
    std::string name;
    /// One of integer, number, boolean, string and any, or several as in integer|string; or the
    /// name of a schema; or [T], an array; or {T}, an object with members of any names; or
    /// 'a'|'b', one of these texts. T? can be null.
    std::string type;
    std::string help = {};
};
using Members = std::vector<SchemaMember>;

struct Schema {
    std::string name;
    Members members;
};
using Schemas = std::vector<Schema>;

[[nodiscard]] Members all_members(std::initializer_list<Members> groups);

// Members of several schemas.
[[nodiscard]] Members game_ref_members();
[[nodiscard]] Members game_column_members();
[[nodiscard]] Members position_members();
[[nodiscard]] Members result_members();   // of a game
[[nodiscard]] Members results_members();  // of several games: White's wins, draws ...
[[nodiscard]] Members score_members();    // of a player

}  // namespace fendex::ask
