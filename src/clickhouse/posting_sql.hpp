// Conditions on rows of posting: for some positions, in a snapshot, for games that fit. If table
// position_sum has the sums of a position in a push, the rows of that push need not be read.
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

/// The sums of keys that can be used, by push. Sums of a key cannot be used if rows of it were
/// taken back, because dates and lists of games cannot be subtracted.
class SummedKeys {
  public:
    /// Queries the keys whose sums cannot be used.
    SummedKeys(ReadSession& session, std::span<const std::uint64_t> keys);

    /// Returns the condition on rows of position_sum that can be used; empty if no key can.
    [[nodiscard]] std::string sql_sums() const;
    /// Notes that there are sums of this key in this push.
    void add(std::uint64_t key, PushNumber push) { pushes_[key].push_back(push); }
    /// Returns the condition on rows of posting that have no sums; empty if all rows have.
    [[nodiscard]] std::string sql_other_rows() const;

  private:
    const Snapshot& snapshot_;
    Keys keys_;
    Keys usable_;
    std::map<std::uint64_t, std::vector<PushNumber>> pushes_;
};

}  // namespace fendex::clickhouse
