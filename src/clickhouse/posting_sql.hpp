// Conditions on rows of posting: for some positions, in a snapshot, for games that fit. If there
// are sums of a position in a push, the rows of that push need not be read.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "clickhouse/filter_sql.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/engine.hpp"

namespace fendex::clickhouse {

using Keys = std::vector<std::uint64_t>;

[[nodiscard]] Keys keys_of(store::Engine::Targets targets);

/// Returns "key IN (1,2)". There must be at least one key.
[[nodiscard]] std::string sql_keys(std::span<const std::uint64_t> keys);

/// Returns the condition on rows with these keys that add a game that was not taken back.
[[nodiscard]] std::string sql_rows(const Snapshot& snapshot, std::span<const std::uint64_t> keys);
/// Like sql_rows() above, but the game must also fit the filter. Table game is read only for games
/// that have a row with these keys and the condition `and_some`, so each game that matters must
/// have one.
[[nodiscard]] std::string sql_rows(const Snapshot& snapshot, const FilterSql& filter,
                                   std::span<const std::uint64_t> keys,
                                   const std::string& and_some = " AND first_of_key = 1");

/// Returns the query for the games that have more than one of these keys. `few` are all keys but
/// one: the query is cheap if few games have one of `few`. Keys without games can be left out.
[[nodiscard]] std::string sql_games_of_several(const Snapshot& snapshot, const FilterSql& filter,
                                               std::span<const std::uint64_t> keys,
                                               std::span<const std::uint64_t> few);

/// What a question needs of sums.
struct SumsAsked {
    std::size_t named_games = 0;  // the length of its lists of games
    bool by_month = false;        // sums of each month
};

/// Finds out which sums a question about some keys can use, and which rows of posting it must read,
/// too. For the games that fit a filter, the sums are those of table position_sum if all games fit,
/// or those of table fine_sum if these tell which games fit. Some pushes have sums of a key, others
/// have too few rows of it. Sums of a key cannot be used if rows of it were taken back, because
/// dates and lists of games cannot be subtracted.
class SummedKeys {
  public:
    /// May query the keys whose sums cannot be used. Session and filter must outlive the object.
    SummedKeys(ReadSession& session, const FilterSql& filter, std::span<const std::uint64_t> keys,
               const SumsAsked& asked);

    /// Returns SQL after FROM for the rows of sums that can be used; empty if there are none. They
    /// have the columns of position_sum, also for by_month, and then the column `month`. Sums of
    /// games that fit may be 0: a row also says that there are sums of a key in a push.
    [[nodiscard]] const std::string& sql_sums() const { return sums_; }
    /// Notes that there are sums of this key in this push.
    void add(std::uint64_t key, PushNumber push) { pushes_[key].push_back(push); }
    /// Returns the condition on rows of posting that have no sums and whose games fit; empty if all
    /// rows have sums.
    [[nodiscard]] std::string sql_other_rows() const;

  private:
    const Snapshot& snapshot_;
    const FilterSql& filter_;
    Keys keys_;
    std::string sums_;
    std::map<std::uint64_t, std::vector<PushNumber>> pushes_;
};

}  // namespace fendex::clickhouse
