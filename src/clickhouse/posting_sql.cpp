#include "clickhouse/posting_sql.hpp"

#include <algorithm>
#include <iterator>

#include "clickhouse/position_sums.hpp"
#include "clickhouse/sql_text.hpp"
#include "codec/named_games.hpp"

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

namespace {

/// Removes the keys of which rows were taken back.
void erase_taken_back(const Snapshot& snapshot, const PlaceOfKeys& place, Keys& keys) {
    if (!snapshot.has_taken_back()) return;
    std::vector<PushNumber> pushes;
    for (const Snapshot::Push& push : snapshot.pushes()) {
        if (push.taken_back != 0) pushes.push_back(push.number);
    }
    place.connection.query("SELECT DISTINCT key FROM " + place.table("posting") + " WHERE " +
                               sql_keys(keys) + " AND " + sql_pushes(pushes) + " AND sign = -1",
                           [&](RowReader& row) { std::erase(keys, row.u64()); });
}

/// Returns the table whose sums answer a question; empty if there is none.
std::string table_of_sums(const FilterSql& filter, const SumsAsked& asked) {
    if (filter.takes_all() && !asked.by_month) return kPositionSums;
    if (!filter.fine_sums()) return {};
    // Of games that fit, more have to be named than sums have.
    if (asked.named_games > codec::kNamedGames) return {};
    return kFineSums;
}

/// Returns SQL after FROM for the sums that answer a question; empty if there are none.
std::string sums_of_keys(ReadSession& session, const FilterSql& filter, Keys keys,
                         const SumsAsked& asked) {
    const std::string table = table_of_sums(filter, asked);
    if (table.empty() || !session.has_table(table)) return {};
    const Snapshot& snapshot = session.snapshot();
    const std::vector<PushNumber> pushes = snapshot.pushes_with_rows(table);
    if (pushes.empty()) return {};
    const PlaceOfKeys place = session.place_of(keys);
    erase_taken_back(snapshot, place, keys);
    if (keys.empty()) return {};
    const std::string rows = sql_keys(keys) + " AND " + sql_pushes(pushes);
    if (table == kPositionSums) return place.table(table) + " WHERE " + rows;
    return sql_added_up(place.table(table), rows, *filter.fine_sums(), asked.by_month);
}

}  // namespace

SummedKeys::SummedKeys(ReadSession& session, const FilterSql& filter,
                       std::span<const std::uint64_t> keys, const SumsAsked& asked)
    : snapshot_(session.snapshot()), filter_(filter), keys_(keys.begin(), keys.end()) {
    std::ranges::sort(keys_);
    sums_ = sums_of_keys(session, filter, keys_, asked);
}

std::string SummedKeys::sql_other_rows() const {
    if (pushes_.empty()) return sql_rows(snapshot_, filter_, keys_);
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
    out += ")" + std::string(snapshot_.sql_and_added());
    return out + snapshot_.sql_and_present() +
           filter_.and_posting_fits(out + " AND first_of_key = 1");
}

}  // namespace fendex::clickhouse
