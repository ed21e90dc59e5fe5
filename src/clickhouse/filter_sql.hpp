// Filters as SQL. What a posting has, its rows are compared with; the rest is compared with rows of
// table game. Names are compared here, as a database in a file does it: SQL narrows them down, and
// those that fit go back beside the question.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

/// The conditions of a filter, for one snapshot. A value; no thread may change it.
class FilterSql {
  public:
    /// Returns the games in table game that fit and were not taken back: a condition on its rows,
    /// with that on `push`.
    [[nodiscard]] std::string games() const;
    /// "" or " AND ...": the condition that the game of a row fits, on a column with its id. The
    /// table has no facts (repetition, quiet_run).
    [[nodiscard]] std::string and_game_fits(std::string_view column) const;
    /// The same for rows of posting. `reached`: a condition on rows of posting that have all games
    /// in question, so that no other games need be looked at.
    [[nodiscard]] std::string and_posting_fits(const std::string& reached) const;
    /// The same for rows of variation.
    [[nodiscard]] std::string and_variation_fits(const std::string& reached) const;

    /// Conditions on a game that are in no filter.
    void add_game_condition(const std::string& condition) { in_game_ += " AND " + condition; }

    [[nodiscard]] bool takes_all() const {
        return facts_.empty() && in_game_.empty() && ids_.empty();
    }
    /// They belong to every query that has a condition of this filter.
    [[nodiscard]] const std::vector<ExternalTable>& tables() const { return tables_; }

  private:
    friend class FilterBuilder;

    [[nodiscard]] std::string and_ids(std::string_view column) const;
    [[nodiscard]] std::string and_listed(const std::string& table, const std::string& rows,
                                         const std::string& conditions) const;

    std::string pushes_;
    std::string present_;  // " AND ...", on game.id
    // Each is empty or " AND ...".
    std::string facts_;             // columns that game and posting have
    std::string in_game_;           // other columns of game
    std::vector<std::string> ids_;  // each with '?' for the column of ids
    std::vector<ExternalTable> tables_;
};

/// Makes the conditions for the session's snapshot; looks names up, and asks the reader for the
/// sources. Throws store::FilterError if there is no such source.
[[nodiscard]] FilterSql filter_sql(ReadSession& session, store::StoreReader& reader,
                                   const store::GameFilter& filter);

}  // namespace fendex::clickhouse
