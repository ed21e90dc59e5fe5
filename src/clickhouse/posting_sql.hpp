// Conditions on rows of posting: of some positions, in a snapshot, of games that fit. Where table
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

/// "key IN (1,2)"; there is at least one key.
[[nodiscard]] std::string sql_keys(std::span<const std::uint64_t> keys);

/// The rows of these keys that add a game that was not taken back: a condition.
[[nodiscard]] std::string sql_rows(const Snapshot& snapshot, std::span<const std::uint64_t> keys);
/// Those of games that fit. Each game of interest must have a row of these keys with the condition
/// `and_some`: table game is read for these only.
[[nodiscard]] std::string sql_rows(const Snapshot& snapshot, const FilterSql& filter,
                                   std::span<const std::uint64_t> keys,
                                   const std::string& and_some = " AND first_of_key = 1");

/// The games that have more than one of these keys, of which `few` are all but one: a query. Only
/// keys that have games need be given; it costs little if few games have one of `few`.
[[nodiscard]] std::string sql_games_of_several(const Snapshot& snapshot, const FilterSql& filter,
                                               std::span<const std::uint64_t> keys,
                                               std::span<const std::uint64_t> few);

/// Which pushes have the sums of which keys. Sums cannot be used for a key of which rows were taken
/// back: dates and lists of games do not subtract.
class SummedKeys {
  public:
    /// Asks for the keys that cannot be used.
    SummedKeys(ReadSession& session, std::span<const std::uint64_t> keys);

    /// Returns the condition on rows of position_sum that can be used; empty if there are none.
    [[nodiscard]] std::string sql_sums() const;
    /// There are sums of this key and push.
    void add(std::uint64_t key, PushNumber push) { pushes_[key].push_back(push); }
    /// Returns the condition on rows of posting that no sums stand for; empty if there are none.
    [[nodiscard]] std::string sql_other_rows() const;

  private:
    const Snapshot& snapshot_;
    Keys keys_;
    Keys usable_;
    std::map<std::uint64_t, std::vector<PushNumber>> pushes_;
};

}  // namespace fendex::clickhouse
