#include "clickhouse/posting_sql.hpp"

#include <algorithm>
#include <iterator>

#include "clickhouse/sql_text.hpp"

namespace fendex::clickhouse {

Keys keys_of(store::Engine::Targets targets) {
    Keys keys;
    for (const store::Engine::Target& target : targets) keys.push_back(target.key);
    return keys;
}

std::string sql_keys(std::span<const std::uint64_t> keys) { return "key IN " + sql_list(keys); }

std::string sql_rows(const Snapshot& snapshot, std::span<const std::uint64_t> keys) {
    return sql_keys(keys) + " AND " + snapshot.sql_pushes() +
           std::string(snapshot.sql_and_added()) + snapshot.sql_and_present();
}

std::string sql_rows(const Snapshot& snapshot, const FilterSql& filter,
                     std::span<const std::uint64_t> keys, const std::string& and_some) {
    const std::string some_rows = sql_keys(keys) + " AND " + snapshot.sql_pushes() +
                                  std::string(snapshot.sql_and_added()) + and_some;
    return sql_rows(snapshot, keys) + filter.and_posting_fits(some_rows);
}

std::string sql_games_of_several(const Snapshot& snapshot, const FilterSql& filter,
                                 std::span<const std::uint64_t> keys,
                                 std::span<const std::uint64_t> few) {
    return "SELECT game FROM posting WHERE " + sql_rows(snapshot, keys) +
           " AND first_of_key = 1 AND game GLOBAL IN (SELECT game FROM posting WHERE " +
           sql_rows(snapshot, filter, few) +
           " AND first_of_key = 1) GROUP BY game"
           " HAVING count() > 1";
}

SummedKeys::SummedKeys(ReadSession& session, std::span<const std::uint64_t> keys)
    : snapshot_(session.snapshot()), keys_(keys.begin(), keys.end()) {
    std::ranges::sort(keys_);
    usable_ = keys_;
    if (!snapshot_.has_taken_back()) return;
    std::vector<PushNumber> pushes;
    for (const Snapshot::Push& push : snapshot_.pushes()) {
        if (push.taken_back != 0) pushes.push_back(push.number);
    }
    const PlaceOfKeys place = session.place_of(keys_);
    place.connection.query("SELECT DISTINCT key FROM " + place.table("posting") + " WHERE " +
                               sql_keys(keys_) + " AND " + sql_pushes(pushes) + " AND sign = -1",
                           [&](RowReader& row) { std::erase(usable_, row.u64()); });
}

std::string SummedKeys::sql_sums() const {
    return usable_.empty() ? "" : sql_keys(usable_) + " AND " + snapshot_.sql_pushes();
}

std::string SummedKeys::sql_other_rows() const {
    // Keys that lack the same pushes share a condition.
    std::map<std::vector<PushNumber>, Keys> by_pushes;
    std::vector<PushNumber> summed;
    for (const std::uint64_t key : keys_) {
        summed.clear();
        if (const auto found = pushes_.find(key); found != pushes_.end()) summed = found->second;
        std::ranges::sort(summed);
        std::vector<PushNumber> others;
        for (const Snapshot::Push& push : snapshot_.pushes()) {
            if (!std::ranges::binary_search(summed, push.number)) {
                others.push_back(push.number);
            }
        }
        if (!others.empty()) by_pushes[others].push_back(key);
    }
    if (by_pushes.empty()) return {};
    std::string out;
    for (const auto& [pushes, keys] : by_pushes) {
        out += (out.empty() ? "((" : " OR (") + sql_keys(keys) + " AND " + sql_pushes(pushes) + ")";
    }
    return out + ")" + std::string(snapshot_.sql_and_added()) + snapshot_.sql_and_present();
}

}  // namespace fendex::clickhouse
