// Filters as SQL. Conditions on columns that table posting has are checked on its rows, all others
// on rows of table game. Names are compared in this program, as for a database in a file: SQL
// selects candidates, and the names that fit are sent with the query.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/types.hpp"
#include "clickhouse/client/connection.hpp"
#include "clickhouse/name_conditions.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

/// The conditions of a filter, for one snapshot. A value. Several threads may read it.
class FilterSql {
  public:
    /// Returns the condition on rows of table game that the game fits and was not taken back. It
    /// includes the condition on `push`.
    [[nodiscard]] std::string games() const;
    /// Returns the condition that the game of a row fits: "" or " AND ...". `column` has the id of
    /// the game. For tables without facts (repetition, quiet_run).
    [[nodiscard]] std::string and_game_fits(std::string_view column) const;
    /// Like and_game_fits(), for rows of posting. `reached` is a condition on rows of posting:
    /// table game is read only for their games, so each game that matters must have such a row.
    [[nodiscard]] std::string and_posting_fits(const std::string& reached) const;
    /// Like and_posting_fits(), for rows of variation.
    [[nodiscard]] std::string and_variation_fits(const std::string& reached) const;

    /// The most ids of games that conditions send from one server to another without a look at
    /// how many games fit.
    static constexpr std::uint64_t kMostSent = 100'000;
    /// Prepares for questions about these keys: if more than `most_sent` games reached them, and
    /// fewer games fit the filter, conditions on rows of posting send the ids of those that fit,
    /// not of those that reached the keys. Queries both numbers.
    void send_fewer(ReadSession& session, std::span<const std::uint64_t> keys,
                    std::uint64_t most_sent = kMostSent);

    /// Adds a condition on a game that no filter has.
    void add_game_condition(const std::string& condition) {
        in_game_ += " AND " + condition;
        fine_sums_.reset();
    }

    [[nodiscard]] bool takes_all() const {
        return facts_.empty() && in_game_.empty() && ids_.empty();
    }
    /// Returns whether conditions on rows of posting read table game.
    [[nodiscard]] bool reads_games() const { return !in_game_.empty(); }
    /// Returns whether the index of players lists the games, which are few: at most kMostSent.
    [[nodiscard]] bool uses_index() const { return uses_index_; }
    /// Returns the condition on rows of fine_sum, if they tell which games fit
    /// (fact_conditions.hpp).
    [[nodiscard]] const std::optional<std::string>& fine_sums() const { return fine_sums_; }
    /// Returns the tables that every query with a condition of this filter needs.
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
    bool uses_index_ = false;       // see uses_index()
    bool lists_games_ = false;      // those that fit are fewer than those that reached a position
    std::vector<std::string> ids_;  // each with '?' for the column of ids
    std::optional<std::string> fine_sums_;
    std::vector<ExternalTable> tables_;
};

/// Returns the conditions for the session's snapshot. Queries the names that fit, and reads the
/// sources from the reader. Throws store::FilterError if there is no such source.
[[nodiscard]] FilterSql filter_sql(ReadSession& session, store::StoreReader& reader,
                                   const store::GameFilter& filter);

/// The condition that one of these names has a colour in the game, or either colour.
struct PlayersOfGame {
    std::shared_ptr<const Names> names;
    std::optional<chess::Color> color = {};
};
/// Like filter_sql() above, with one more condition.
[[nodiscard]] FilterSql filter_sql(ReadSession& session, store::StoreReader& reader,
                                   const store::GameFilter& filter, const PlayersOfGame& players);

}  // namespace fendex::clickhouse
