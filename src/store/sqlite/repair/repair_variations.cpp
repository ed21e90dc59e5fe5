#include <algorithm>

#include "store/sqlite/repair/repair_tables.hpp"

namespace fendex::store {

namespace {

/// Selects games whose variations were indexed, if the rows are plausible.
constexpr char kSelectVariations[] =
    "SELECT first_game, last_game FROM segment WHERE kind = 1 AND typeof(first_game) = 'integer'"
    " AND typeof(last_game) = 'integer' AND first_game >= 1 AND last_game >= first_game"
    // Includes the games that a killed import had not reached.
    " UNION ALL SELECT value, 9223372036854775806 FROM meta"
    " WHERE name = 'variations_from' AND typeof(value) = 'integer' AND value >= 1"
    // If segments are missing, the options of imports show which games had indexed variations.
    " UNION ALL SELECT first_game, first_game + games - 1 FROM source WHERE ?1"
    " AND instr(options || ' ', '--variations ') AND typeof(first_game) = 'integer'"
    " AND typeof(games) = 'integer' AND first_game >= 1 AND games >= 1";
constexpr char kHasAnnotations[] =
    "SELECT 1 FROM annotation WHERE game_id BETWEEN ?1 AND ?2 LIMIT 1";

}  // namespace

/// Collects the games whose variations were indexed. Joins ranges that touch or overlap.
void RepairTables::collect_variations() {
    std::vector<GameRange> found;
    Statement select(connection_, kSelectVariations);
    select.bind(1, std::int64_t{doubts_->segments_were_changed() ? 1 : 0});
    while (select.step()) {
        found.push_back(
            {static_cast<GameId>(select.integer(0)), static_cast<GameId>(select.integer(1))});
    }
    std::ranges::sort(found,
                      [](const GameRange& a, const GameRange& b) { return a.first < b.first; });
    for (const GameRange& games : found) {
        if (!variations_.empty() && games.first <= variations_.back().last + 1) {
            variations_.back().last = std::max(variations_.back().last, games.last);
        } else {
            variations_.push_back(games);
        }
    }
}

std::vector<GameRange> RepairTables::variations() const {
    std::vector<GameRange> out;
    Statement has_annotations(connection_, kHasAnnotations);
    for (const GameRange& each : variations_) {
        const GameRange games{each.first, std::min(each.last, last_game_)};
        const ResetAtEnd end(has_annotations, as_signed(games.first), as_signed(games.last));
        if (games.first <= games.last && has_annotations.step()) out.push_back(games);
    }
    return out;
}

}  // namespace fendex::store
