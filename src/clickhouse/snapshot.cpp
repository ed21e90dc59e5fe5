#include "clickhouse/snapshot.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/replicas.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/stored_rows.hpp"
#include "clickhouse/tables.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

/// Selects the complete pushes, as list 0. A row of state 1 that was sent twice counts once. Tables
/// of an older program have no records and no mark of them.
constexpr std::string_view kSelectComplete =
    "SELECT toUInt8(0) AS list, push, maxIf(format, state = 1), anyIf(first_game, state = 1),"
    " anyIf(last_game, state = 1), maxIf(has_sources, state = 1), anyIf(taken_back, state = 1),"
    " anyIf(games, state = 1), anyIf(plies, state = 1), anyIf(positions, state = 1),"
    " anyIf(errors, state = 1), anyIf(warnings, state = 1), anyIf(annotated_games, state = 1),"
    " anyIf(annotation_bytes, state = 1), anyIf(fingerprint, state = 1),"
    " anyIf(sharding, state = 1), anyIf(stored_rows, state = 1), anyIf(replaces, state = 1), ";
constexpr std::string_view kHasRecords = "maxIf(records_mark != 0, state = 1)";
constexpr std::string_view kHasNone = "toUInt8(0)";
constexpr std::string_view kFromPush = " FROM push GROUP BY push HAVING max(state) = 1";
/// Columns of the same types. stored_rows has the number of rows of the push in one table.
constexpr char kCountedColumns[] =
    "push, toUInt32(0), toUInt64(0), toUInt64(0), toUInt8(0), toUInt64(0), toInt64(0), toInt64(0),"
    " toInt64(0), toInt64(0), toInt64(0), toInt64(0), toInt64(0), toUInt64(0),"
    " toUInt64(0), [toUInt64(stored_rows)], emptyArrayUInt32(), toUInt8(0)";

[[noreturn]] void throw_newer(const Connection& connection, std::uint32_t format) {
    throw store::StoreError(store::StoreError::kNewerFormat,
                            to_text(connection.url()) + ": written by a newer fendex (format " +
                                std::to_string(format) + "; this one reads " +
                                std::to_string(kFormat) + ")");
}

/// Returns the query for a snapshot. Its lists from 1 on are those of counted_tables().
std::string sql_snapshot(Connection& connection, const Layout& layout) {
    const std::string_view has_records = layout.has(kRecords) ? kHasRecords : kHasNone;
    return std::string(kSelectComplete) + std::string(has_records) + std::string(kFromPush) +
           " UNION ALL SELECT list, " + kCountedColumns + " FROM (" +
           sql_stored_rows(connection, layout) + ")";
}

/// Reads the columns of kSelectComplete from first_game to sharding.
Snapshot::Push read_complete_push(AnswerRow& row, PushNumber number) {
    Snapshot::Push push;
    push.number = number;
    const Origin origin = origin_of_push(push.number);
    const GameId first = row.number("first_game");
    const GameId last = row.number("last_game");
    if (first <= last && first != 0) {
        push.range = {cluster_id(origin, first), cluster_id(origin, last)};
    }
    push.has_sources = row.flag("has_sources");
    push.taken_back = row.count("taken_back");
    push.counters.games = row.change("games");
    push.counters.plies = row.change("plies");
    push.counters.positions = row.change("positions");
    push.counters.errors = row.change("errors");
    push.counters.warnings = row.change("warnings");
    push.counters.annotated_games = row.change("annotated_games");
    push.counters.annotation_bytes = row.change("annotation_bytes");
    push.counters.fingerprint = row.any_u64();
    push.sharding = row.any_u64();
    return push;
}

/// Returns the first table that has rows of a push but was missing when the layout was read; empty
/// if there is none.
std::string table_made_since(const Layout& layout,
                             const std::map<PushNumber, Snapshot::Push>& pushes) {
    for (const std::string& table : layout.missing) {
        const std::size_t number = counted_table(table);
        for (const auto& [push, record] : pushes) {
            if (record.stored_rows[number] != 0) return table;
        }
    }
    return {};
}

[[noreturn]] void throw_no_table(const Connection& connection, const std::string& table) {
    const std::string place = to_text(connection.url());
    throw store::StoreError(store::StoreError::kOlderFormat,
                            place + ": this server has no table " + table +
                                ", in which pushes have rows; `fendex push DB " + place +
                                "` makes it");
}

/// A flag that is set as long as the object lives.
class SetFor {
  public:
    explicit SetFor(bool& flag) : flag_(flag) { flag_ = true; }
    ~SetFor() { flag_ = false; }
    SetFor(const SetFor&) = delete;
    SetFor& operator=(const SetFor&) = delete;

  private:
    bool& flag_;
};

/// Throws if two pushes have a game in common.
void require_apart(const Connection& connection, std::span<const Snapshot::Push> pushes) {
    std::vector<store::GameRange> ranges;
    for (const Snapshot::Push& push : pushes) {
        if (push.range.first <= push.range.last) ranges.push_back(push.range);
    }
    std::ranges::sort(ranges, {}, &store::GameRange::first);
    const auto overlap = std::ranges::adjacent_find(
        ranges, [](const auto& a, const auto& b) { return b.first <= a.last; });
    if (overlap == ranges.end()) return;
    throw damaged(connection, "two complete pushes in table push have the games from " +
                                  std::to_string(std::next(overlap)->first) + " on");
}

}  // namespace

Snapshot::Snapshot(std::vector<Push> complete, std::uint64_t number,
                   std::size_t snapshot_cache_bytes)
    : complete_(std::move(complete)),
      number_(number),
      snapshot_cache_(std::make_shared<store::SnapshotCache>(snapshot_cache_bytes)) {
    const std::size_t table_of_records = counted_table(kRecords);
    std::map<Origin, const Push*> of_records;  // the newest of each
    for (const Push& push : complete_) {
        if (push.has_records) {
            of_records[origin_of_push(push.number)] = &push;
            continue;
        }
        pushes_.push_back(push);
        if (push.range.first <= push.range.last) ranges_.push_back(push.range);
        has_taken_back_ = has_taken_back_ || push.taken_back != 0;
    }
    std::ranges::sort(ranges_, {}, &store::GameRange::first);
    if (!ranges_.empty()) last_game_ = ranges_.back().last;
    for (const auto& [origin, push] : of_records) {
        const std::uint64_t records = push->stored_rows[table_of_records];
        if (records == 0) continue;
        of_records_.push_back(push->number);
        records_ += records;
    }
}

std::string sql_pushes(std::span<const PushNumber> pushes, std::string_view column) {
    const std::string name(column);
    std::string out;
    for (std::size_t i = 0; i < pushes.size();) {
        std::size_t end = i + 1;
        while (end < pushes.size() && pushes[end] == pushes[end - 1] + 1) ++end;
        out += out.empty() ? "(" : " OR ";
        out += name;
        if (end == i + 1) {
            out += " = " + std::to_string(pushes[i]);
        } else {
            out +=
                " BETWEEN " + std::to_string(pushes[i]) + " AND " + std::to_string(pushes[end - 1]);
        }
        i = end;
    }
    return out.empty() ? "(" + name + " = 0)" : out + ")";
}

std::vector<PushNumber> Snapshot::pushes_with_rows(std::string_view table) const {
    const std::size_t number = counted_table(table);
    std::vector<PushNumber> out;
    for (const Push& push : pushes_) {
        if (push.stored_rows[number] != 0) out.push_back(push.number);
    }
    return out;
}

std::string Snapshot::sql_pushes(std::string_view column) const {
    std::vector<PushNumber> numbers;
    for (const Push& push : pushes_) numbers.push_back(push.number);
    return clickhouse::sql_pushes(numbers, column);
}

std::string Snapshot::sql_and_present(std::string_view game_column) const {
    if (!has_taken_back_) return {};
    return " AND " + std::string(game_column) +
           " GLOBAL NOT IN (SELECT game FROM taken_back WHERE " + sql_pushes() + ")";
}

std::string_view Snapshot::sql_and_added() const { return has_taken_back_ ? " AND sign = 1" : ""; }

/// Readers that call it at the same time wait, and then share the answer.
SnapshotSource::Dated SnapshotSource::newest(Connection& connection, Layout& layout) {
    const std::lock_guard lock(mutex_);
    auto& [newest, time] = newest_;
    // Taken before the query, so that a snapshot is never older than its time says.
    const auto now = Clock::now();
    if (!newest || now - time >= kFresh) {
        std::vector<Snapshot::Push> pushes = read(connection, layout);
        if (!newest || newest->complete() != pushes) {
            const std::uint64_t number = newest ? newest->number() + 1 : 1;
            newest =
                std::make_shared<const Snapshot>(std::move(pushes), number, snapshot_cache_bytes_);
        }
        time = now;
    }
    return newest_;
}

std::vector<Snapshot::Push> SnapshotSource::read(Connection& connection, Layout& layout) {
    const auto counted = static_cast<std::uint8_t>(counted_tables().size());
    // The ledger and the numbers of rows are not read at the same moment. So wrong numbers are read
    // again once.
    for (bool is_first = true;; is_first = false) {
        std::map<PushNumber, Snapshot::Push> pushes;
        std::vector<PushNumber> replaced;
        StoredRowsOfPushes rows;
        const auto visit = [&](AnswerRow& row) {
            const std::uint8_t list = row.u8("list", counted);
            const PushNumber number = row.any_u32();
            if (const std::uint32_t format = row.any_u32(); format > kFormat) {
                throw_newer(connection, format);
            }
            Snapshot::Push push = read_complete_push(row, number);
            push.stored_rows = read_recorded_rows(row, list == 0);
            const std::vector<PushNumber> replaces = read_replaces(row, number);
            replaced.insert(replaced.end(), replaces.begin(), replaces.end());
            push.has_records = row.flag("records_mark");
            if (list != 0) {
                if (push.stored_rows.size() != 1) row.refuse("stored_rows");
                put_rows(rows, number, list - 1U, push.stored_rows.front());
            } else if ((number & kMaxPushes) == 0 || !pushes.emplace(number, push).second) {
                row.refuse_row("push", number);
            }
        };
        // Groups of many columns: to merge those of several threads takes longer than to make them.
        read_rows(connection, "push", sql_snapshot(connection, layout), {}, visit,
                  {{"max_threads", "1"}});
        for (const PushNumber each : replaced) pushes.erase(each);
        if (const std::string table = table_made_since(layout, pushes); !table.empty()) {
            if (!is_first) throw_no_table(connection, table);
            layout = require_tables(connection, OlderTables::kRead);
            continue;
        }
        std::string wrong;
        std::vector<Snapshot::Push> out;
        for (const auto& [number, push] : pushes) {
            if (wrong.empty()) {
                wrong = wrong_rows(layout, number, push.stored_rows, rows_of_push(rows, number));
            }
            out.push_back(push);
        }
        if (wrong.empty()) {
            require_apart(connection, out);
            return out;
        }
        if (!is_first) throw_wrong_rows(connection, wrong);
    }
}

std::string PlaceOfKeys::table(std::string_view name) const { return local_name(name, is_shard); }

std::string ReadSession::table_of_shard(std::string_view name) const {
    // Shards do not know the database of the session.
    return connection_.url().database + "." + local_name(name, layout_.is_cluster());
}

void ReadSession::set_layout(Layout layout) {
    layout_ = std::move(layout);
    if (layout_.is_replicated) connection_.leave_out_stale(kMostDelay);
}

void ReadSession::refresh() {
    {
        const SetFor looking(is_looking_);
        const auto [snapshot, time] = source_->newest(connection_, layout_);
        snapshot_ = snapshot;
        had_rows_ = time;
    }
    // Rows that were spread over other shards than those of today may be on any of them.
    is_spread_as_now_ = std::ranges::all_of(snapshot_->complete(), [&](const Snapshot::Push& push) {
        return push.sharding == layout_.sharding;
    });
    connection_.skip_shards(is_spread_as_now_);
}

PlaceOfKeys ReadSession::place_of(std::span<const std::uint64_t> keys) {
    if (!is_spread_as_now_) return {connection_};
    if (!layout_.is_cluster() || connection_.skips_shards()) return {connection_};
    if (!shards_) shards_ = std::make_unique<ShardServers>(connection_, layout_.cluster);
    Connection* const server = shards_->server_of(keys);
    if (server == nullptr) return {connection_};
    server->set_stop(connection_.stop());
    server->set_check([this] { require_rows(); });
    return {*server, true};
}

/// Throws if rows of the snapshot are gone: the answer of a query that has just ended may lack
/// them. A snapshot that was right a short time ago is trusted.
void ReadSession::require_rows() {
    const auto now = SnapshotSource::Clock::now();
    if (is_looking_ || !snapshot_ || now - had_rows_ < source_->trusted()) return;
    const SetFor looking(is_looking_);
    const StoredRowsOfPushes rows = read_stored_rows(connection_, layout_);
    for (const Snapshot::Push& push : snapshot_->complete()) {
        if (wrong_rows(layout_, push.number, push.stored_rows, rows_of_push(rows, push.number))
                .empty()) {
            continue;
        }
        throw store::StoreError(store::StoreError::kBusy,
                                to_text(connection_.url()) +
                                    ": rows of this answer were replaced by those of newer "
                                    "pushes before it was complete; ask again");
    }
    had_rows_ = now;
}

}  // namespace fendex::clickhouse
