#include "clickhouse/push.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/checksum.hpp"
#include "base/number_of.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/client/connection.hpp"
#include "clickhouse/joining.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/position_sums.hpp"
#include "clickhouse/push_blocks.hpp"
#include "clickhouse/push_records.hpp"
#include "clickhouse/push_rows.hpp"
#include "clickhouse/replicas.hpp"
#include "clickhouse/retract.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/stored_rows.hpp"
#include "clickhouse/tables.hpp"
#include "store/broken_game.hpp"
#include "store/snapshot_readers.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

using store::GameId;
using store::GameRange;
using store::StoreError;
using store::StoreInfo;

/// Rows of names, sources and errors are sent when more than this many bytes wait.
constexpr std::size_t kRowBytesAtOnce = std::size_t{16} << 20;

/// Servers count delays in whole seconds.
constexpr std::chrono::seconds kMargin{2};

/// Calls visit(table, row) for the rows of sources, errors and joined names, as RowBinary.
template <typename Visit>
void for_each_source_row(store::LocalReader& reader, PushNumber push, Visit visit) {
    RowWriter row;
    for (const store::StoredSource& source : reader.sources()) {
        row.clear();
        append_source(push, source, row);
        visit("source", row.bytes());
    }
    std::set<GameId> seen;
    reader.for_each_error([&](const store::StoredError& error) {
        std::string packed;
        if (error.game && seen.insert(*error.game).second) {
            if (const auto text = reader.broken_game(error.id)) {
                packed = store::pack_broken_game(*text);
            }
        }
        row.clear();
        append_error(push, error, packed, row);
        visit("import_error", row.bytes());
        return true;
    });
    reader.for_each_name_join([&](const store::NameJoin& join) {
        const auto name = [&](std::int64_t id) { return reader.name(join.kind, id).value_or(""); };
        row.clear();
        append_joined_name(push, join.kind, name(join.name), name(join.canonical), row);
        visit("joined_name", row.bytes());
    });
}

/// Returns a checksum of these rows.
std::uint64_t mark_of_sources(store::LocalReader& reader) {
    std::uint64_t mark = 0;
    for_each_source_row(reader, 0, [&](std::string_view, const std::string& row) {
        mark = base::checksum_seed({mark, base::checksum(row, 0)});
    });
    return mark | 1;
}

/// Partitions that one statement drops.
constexpr std::size_t kDroppedAtOnce = 20;

std::string sql_drop(const std::string& table, std::span<const std::string> partitions) {
    std::string sql = "ALTER TABLE " + table;
    for (const std::string& partition : partitions) {
        sql.append(&partition == partitions.data() ? " DROP PARTITION " : ", DROP PARTITION ");
        sql += partition;
    }
    return sql;
}

/// The work of one push_database(), and what it knows of the database and the cluster.
class Push {
  public:
    Push(store::Store& database, const Url& url, const PushOptions& options)
        : database_(database),
          url_(url),
          options_(options),
          readers_(database, options.threads + 1),
          reader_(readers_[options.threads]),
          info_(reader_.info()),
          entry_(url, options.password),
          ledger_(entry_, [this] { wait_for_replicas(); }) {
        if (info_.id.empty()) {
            throw StoreError(StoreError::kOlderFormat,
                             database.location() +
                                 ": has no id, by which a cluster knows it; "
                                 "run `fendex upgrade " +
                                 database.location() + "`");
        }
    }

    PushSummary run() {
        prepare_tables();
        wait_for_replicas();
        find_origin();
        drop_old_rows();
        if (!options_.replace && pushes_.last_game() > info_.last_game) throw_changed();
        if (options_.replace) {
            summary_.replaced_pushes = pushes_.complete.size();
            summary_.replaced_games = static_cast<std::uint64_t>(pushes_.sum().games);
            replaced_ = std::exchange(pushes_.complete, {});
        }
        give_up_lost();
        const std::vector<GameId> deleted = deleted_since(entry_, origin_, pushes_, reader_);
        mark_ = mark_of_sources(reader_);
        const std::uint64_t records_mark = mark_of_records(reader_);
        const bool has_new_records = records_were_lost_ || records_mark != pushes_.records_mark() ||
                                     (options_.replace && records_mark != kNoRecords);
        const std::vector<GameRange> news = ranges_to_send();
        if (!news.empty() || !deleted.empty() || mark_ != pushes_.sources_mark() ||
            !replaced_.empty()) {
            send(news, deleted);
        } else {
            require_same(pushes_.sum());
            summary_.nothing_new = !has_new_records;
        }
        if (has_new_records) push_records(records_mark);
        tidy();
        for (const Host& host : servers_.away) {
            summary_.away.push_back(host.name + " (shard " + std::to_string(host.shard) + ")");
        }
        return summary_;
    }

  private:
    void prepare_tables() {
        std::string cluster = options_.cluster;
        // Refused before anything is created.
        if (!cluster.empty()) {
            require_keeper(entry_, cluster);
            // A cluster that is not known may be the wrong one for tables that are there.
            if (!hosts_of(entry_, cluster).empty()) {
                servers_ = connect_to_servers(entry_, cluster);
            }
        }
        entry_.create_database();
        if (const std::optional<Layout> layout = layout_of_tables(entry_)) {
            const std::string& known = layout->cluster;
            if (!cluster.empty() && cluster != known) {
                throw StoreError(
                    StoreError::kOther,
                    to_text(url_) + ": its tables are " +
                        (known.empty() ? "on one server" : "in the cluster '" + known + "'") +
                        ", not in the cluster '" + cluster + "'");
            }
            cluster = known;
            // Refused before anything is added to them.
            static_cast<void>(require_tables(entry_, OlderTables::kAccept));
        }
        if (servers_.present.empty()) servers_ = connect_to_servers(entry_, cluster);
        create_tables(servers_, cluster);
        layout_ = require_tables(entry_);
        if (layout_.is_replicated) entry_.leave_out_stale(kMostDelay);
    }

    /// Waits until all replicas have all rows that were written. A replica that dies meanwhile is
    /// away.
    void wait_for_replicas() {
        clickhouse::wait_for_replicas(servers_, [&] { report(); });
    }

    /// Looks for complete pushes whose rows were lost or added since. They are replaced like those
    /// of a push with the option `replace`.
    void give_up_lost() {
        if (pushes_.complete.empty() && pushes_.of_records.empty()) return;
        const StoredRowsOfPushes rows = read_stored_rows(entry_, layout_);
        const auto is_whole = [&](const PushRecord& push) {
            const std::string wrong =
                wrong_rows(layout_, push.number, push.stored_rows, rows_of_push(rows, push.number));
            if (!wrong.empty()) summary_.mended.push_back(wrong);
            return wrong.empty();
        };
        std::vector<PushRecord> whole;
        for (PushRecord& push : pushes_.complete) {
            (is_whole(push) ? whole : replaced_).push_back(push);
        }
        for (const PushRecord& push : pushes_.of_records) {
            records_were_lost_ = !is_whole(push) || records_were_lost_;
        }
        // Rows that take games back need those that they take back, so all go.
        const auto takes_back = [](const PushRecord& push) { return push.taken_back != 0; };
        if (!replaced_.empty() && std::ranges::any_of(pushes_.complete, takes_back)) {
            replaced_.insert(replaced_.end(), whole.begin(), whole.end());
            whole.clear();
        }
        pushes_.complete = std::move(whole);
    }

    /// Returns the ranges of games that no complete push has.
    std::vector<GameRange> ranges_to_send() const {
        std::vector<GameRange> sent;
        for (const PushRecord& push : pushes_.complete) {
            if (push.games.first <= push.games.last) sent.push_back(push.games);
        }
        std::ranges::sort(sent, {}, &GameRange::first);
        sent.push_back({info_.last_game + 1, info_.last_game + 1});
        std::vector<GameRange> out;
        GameId next = 1;
        for (const GameRange& each : sent) {
            if (next < each.first) out.push_back({next, each.first - 1});
            next = each.last + 1;
        }
        return out;
    }

    void find_origin() {
        const std::optional<Origin> known = ledger_.origin_of(info_.id);
        origin_ = known ? *known : ledger_.new_origin(info_.id, database_.location());
        summary_.origin = origin_;
        pushes_ = ledger_.pushes_of(origin_);
    }

    /// Gives up pushes of this origin that were begun but not completed, and those that were
    /// replaced some time ago. Drops the rows of all pushes that are not complete. Rows of such a
    /// push that arrive later do not count either.
    void drop_old_rows() {
        std::vector<PushRecord> given_up;
        const auto give_up = [&](PushNumber number) {
            given_up.emplace_back();
            given_up.back().number = number;
            given_up.back().state = PushRecord::kGivenUp;
        };
        for (const PushNumber number : pushes_.begun) give_up(number);
        for (const ReplacedPush& push : pushes_.replaced) {
            if (is_old(push)) give_up(push.number);
        }
        ledger_.add(given_up);
        pushes_ = ledger_.pushes_of(origin_);
        std::set<std::string> kept;
        for (const auto* const pushes : {&pushes_.complete, &pushes_.of_records}) {
            for (const PushRecord& push : *pushes) kept.insert(std::to_string(push.number));
        }
        for (const ReplacedPush& push : pushes_.replaced) kept.insert(std::to_string(push.number));
        // Replicas drop what one of them drops.
        const auto end = std::chrono::steady_clock::now() + options_.time_to_drop;
        for (Server* server : servers_.of_shards()) drop_others(server->connection, kept, end);
    }

    /// Returns whether nobody can need the rows of a replaced push any more.
    bool is_old(const ReplacedPush& push) const {
        return std::time(nullptr) - std::time_t{push.time} >= options_.replaced_rows_stay.count();
    }

    /// Drops the rows of this origin but those of the pushes that are kept, until the end of the
    /// time for it.
    void drop_others(Connection& host, const std::set<std::string>& kept,
                     std::chrono::steady_clock::time_point end) {
        std::map<std::string, std::vector<std::string>> drop;  // by table
        read_rows(
            host, "system.parts",
            "SELECT DISTINCT table, partition FROM system.parts WHERE active = 1 AND database = "
            "currentDatabase()",
            [&](AnswerRow& row) {
                std::string table(row.text());
                std::string partition(row.text());
                const auto is_its_rows = [&](const Table& each) {
                    return each.is_of_pushes() && table == local_name(each.name, is_cluster());
                };
                if (std::ranges::none_of(tables(), is_its_rows)) return;
                if (kept.contains(partition)) return;
                const auto push = base::number_of<PushNumber>(partition);
                if (!push) row.refuse("partition");
                if (origin_of_push(*push) == origin_) drop[table].push_back(std::move(partition));
            });
        for (const auto& [table, partitions] : drop) {
            for (std::span<const std::string> left(partitions); !left.empty();) {
                if (std::chrono::steady_clock::now() >= end) return;
                report();
                const std::size_t number = std::min(left.size(), kDroppedAtOnce);
                host.run(sql_drop(table, left.first(number)));
                left = left.subspan(number);
            }
        }
    }

    [[noreturn]] void throw_changed() const {
        throw StoreError(StoreError::kOther,
                         database_.location() +
                             ": games that were pushed before have changed, so new games "
                             "cannot be added; --replace sends all games again");
    }

    /// Throws unless a cluster with these sums has the same games as the database.
    void require_same(const PushCounters& sum) const {
        const bool same = sum.games == static_cast<std::int64_t>(info_.games) &&
                          sum.plies == static_cast<std::int64_t>(info_.plies) &&
                          sum.positions == static_cast<std::int64_t>(info_.positions) &&
                          sum.fingerprint == info_.fingerprint;
        if (!same) throw_changed();
    }

    /// Returns the games of each part of a push; one part without games if there are none.
    std::vector<GameRange> parts_of(const std::vector<GameRange>& news) {
        std::vector<GameRange> out;
        for (GameRange rest : news) {
            total_games_ += rest.last + 1 - rest.first;
            while (const auto games = store::take_front(rest, options_.games_at_once)) {
                out.push_back(*games);
            }
        }
        if (out.empty()) out.push_back({info_.last_game + 1, info_.last_game});
        return out;
    }

    /// Sends games in parts. The last part has everything else: games to take back, names, sources.
    void send(const std::vector<GameRange>& news, const std::vector<GameId>& deleted) {
        const std::vector<GameRange> ranges = parts_of(news);
        std::vector<PushRecord> parts;
        PushCounters sum = pushes_.sum();
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            const GameRange& games = ranges[i];
            const bool last = i + 1 == ranges.size();
            PushRecord part = begin_part(games);
            part.counters = send_games(readers_, url_, options_, part.number, games,
                                       [&](std::uint64_t done, std::uint64_t postings) {
                                           progress_.games += done;
                                           progress_.postings += postings;
                                           report();
                                       });
            count(part.counters);
            if (last) send_rest(part, sum, deleted);
            progress_.phase = PushProgress::Phase::kSumming;
            sum_up(part.number);
            progress_.phase = PushProgress::Phase::kSending;
            sum.add(part.counters);
            if (last) require_same(sum);
            record_rows(part);
            part.state = PushRecord::kComplete;
            parts.push_back(part);
            // If the parts replace other pushes, they all become complete at the same time, when
            // the other pushes are given up.
            if (last || replaced_.empty()) complete(parts);
            if (!last && replaced_.empty()) tidy();
        }
    }

    /// Sends the records of positions, as a push of their own that replaces the one before.
    void push_records(std::uint64_t mark) {
        PushRecord part = begin_part({info_.last_game + 1, info_.last_game});
        part.records_mark = mark;
        summary_.records = send_records(reader_, entry_, part.number, [&] { report(); });
        wait_for_replicas();
        record_rows(part, *summary_.records);
        part.state = PushRecord::kComplete;
        replaced_ = pushes_.of_records;
        std::vector<PushRecord> parts{std::move(part)};
        complete(parts);
    }

    /// Writes the sums of a push whose rows are all sent.
    void sum_up(PushNumber push) {
        wait_for_replicas();
        for (Server* server : servers_.of_shards()) {
            write_position_sums(server->connection, push, is_cluster(), [&] { report(); });
        }
        wait_for_replicas();
    }

    PushNumber next_number() {
        if (pushes_.last_n == kMaxPushes) {
            throw StoreError(StoreError::kOther, to_text(url_) +
                                                     ": has no number left for a push of this "
                                                     "database; push it to another");
        }
        return push_number(origin_, ++pushes_.last_n);
    }

    PushRecord begin_part(const GameRange& games) {
        PushRecord part;
        part.number = next_number();
        part.games = games;
        part.sharding = layout_.sharding;
        ledger_.add(std::span(&part, 1));
        // The other pushes do not have the names of those that are replaced.
        if (replaced_.empty()) part.last_names = pushes_.last_names();
        for (const GameRange& varied : reader_.games_with_indexed_variations()) {
            part.variations |= varied.first <= games.last && games.first <= varied.last;
        }
        return part;
    }

    /// Sends everything of a push but its games. `sum` is that of the pushes before it.
    void send_rest(PushRecord& part, const PushCounters& sum, const std::vector<GameId>& deleted) {
        part.counters.add(retract(entry_, part.number, pushes_, deleted));
        part.taken_back = deleted.size();
        summary_.taken_back = deleted.size();
        send_names(part);
        send_sources(part);
        const auto rest = [](std::uint64_t all, std::int64_t before) {
            return static_cast<std::int64_t>(all) - before;
        };
        part.counters.errors = rest(info_.errors, sum.errors);
        part.counters.warnings = rest(info_.warnings, sum.warnings);
        part.counters.annotated_games = rest(info_.annotated_games, sum.annotated_games);
        part.counters.annotation_bytes = rest(info_.annotation_bytes, sum.annotation_bytes);
    }

    void send_names(PushRecord& part) {
        PendingRows rows;
        RowWriter& names = rows.of("name");
        for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
            std::uint64_t last = part.last_names[kind];
            reader_.for_each_name(static_cast<store::NameKind>(kind),
                                  [&](std::int64_t id, std::string_view name) {
                                      if (static_cast<std::uint64_t>(id) <= part.last_names[kind])
                                          return;
                                      last = std::max(last, static_cast<std::uint64_t>(id));
                                      names.u32(part.number);
                                      names.u8(static_cast<std::uint8_t>(kind));
                                      names.string(name);
                                      if (names.bytes().size() > kRowBytesAtOnce) rows.send(entry_);
                                  });
            part.last_names[kind] = last;
        }
        rows.send(entry_);
    }

    void send_sources(PushRecord& part) {
        PendingRows rows;
        for_each_source_row(reader_, part.number,
                            [&](std::string_view table, const std::string& row) {
                                RowWriter& of_table = rows.of(table);
                                of_table.append(row);
                                if (of_table.bytes().size() > kRowBytesAtOnce) rows.send(entry_);
                            });
        rows.send(entry_);
        part.has_sources = true;
        part.sources_mark = mark_;
    }

    /// Records how many rows the tables have of a part. Throws StoreError if the numbers of games,
    /// postings, games to take back or records of positions differ from what was sent.
    void record_rows(PushRecord& part, std::uint64_t records = 0) {
        part.stored_rows = rows_of_push(read_stored_rows(entry_, layout_), part.number);
        StoredRows sent = part.stored_rows;
        sent[counted_table("taken_back")] = part.taken_back;
        sent[counted_table(kRecords)] = records;
        // The counter games has one less for each game to take back, but the push has no row of it
        // in table game.
        sent[counted_table("game")] =
            static_cast<std::uint64_t>(part.counters.games) + part.taken_back;
        // The counter positions has one less for each row that takes a posting back, but these rows
        // exist, too. So it is the number of rows only if no game is taken back.
        if (part.taken_back == 0) {
            sent[counted_table("posting")] = static_cast<std::uint64_t>(part.counters.positions);
        }
        const std::string wrong = wrong_rows(layout_, part.number, sent, part.stored_rows);
        if (!wrong.empty()) throw_wrong_rows(entry_, wrong);
    }

    /// Makes pushes count, all at the same moment. Those that they replace no longer do.
    void complete(std::vector<PushRecord>& parts) {
        for (const PushRecord& old : replaced_) parts.front().replaces.push_back(old.number);
        replaced_.clear();
        wait_until_stale();
        ledger_.add(parts);
        pushes_ = ledger_.pushes_of(origin_);
        for (const PushRecord& part : parts) {
            if (pushes_.find(part.number) == nullptr) {
                throw StoreError(StoreError::kBusy,
                                 database_.location() + ": another program is pushing it to " +
                                     to_text(url_) + ", too; that push continues");
            }
        }
        parts.clear();
    }

    /// Joins pushes, and drops rows that nobody needs. The games are stored already, so an error of
    /// the cluster is only noted.
    void tidy() {
        try {
            join_pushes();
            if (std::ranges::any_of(pushes_.replaced,
                                    [&](const auto& each) { return is_old(each); })) {
                drop_old_rows();
            }
        } catch (const StoreError& error) {
            summary_.not_tidied = error.what();
        }
        progress_.phase = PushProgress::Phase::kSending;
    }

    void join_pushes() {
        const std::vector<PushRecord> members = pushes_to_join(pushes_.complete);
        // Without a replica each step would wait until queries leave it out.
        if (members.empty() || !servers_.away.empty()) return;
        progress_.phase = PushProgress::Phase::kJoining;
        PushRecord joined = joined_push(next_number(), members, pushes_);
        ledger_.add(std::span(&joined, 1));
        for (Server* server : servers_.of_shards()) {
            copy_rows(server->connection, joined, pushes_, is_cluster(), [&] { report(); });
        }
        sum_up(joined.number);
        require_copied(joined);
        joined.state = PushRecord::kComplete;
        std::vector<PushRecord> parts{std::move(joined)};
        complete(parts);
    }

    /// Throws StoreError unless the tables have all rows of a joined push. Records the numbers of
    /// its sums.
    void require_copied(PushRecord& joined) {
        const StoredRows stored = rows_of_push(read_stored_rows(entry_, layout_), joined.number);
        for (std::size_t i = 0; i < stored.size(); ++i) {
            if (is_of_sums(counted_tables()[i])) joined.stored_rows[i] = stored[i];
        }
        const std::string wrong = wrong_rows(layout_, joined.number, joined.stored_rows, stored);
        if (!wrong.empty()) throw_wrong_rows(entry_, wrong);
        OriginPushes only;
        only.complete.push_back(joined);
        const std::vector<std::string> differences = wrong_rows_of_pushes(entry_, layout_, only);
        if (!differences.empty()) throw_wrong_rows(entry_, differences.front());
    }

    /// If a replica is away, waits until queries leave it out, because it has none of the rows.
    void wait_until_stale() {
        if (servers_.away.empty()) return;
        for (const auto end = std::chrono::steady_clock::now() + kMostDelay + kMargin;
             std::chrono::steady_clock::now() < end;) {
            report();
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }

    void count(const PushCounters& counters) {
        summary_.games += static_cast<std::uint64_t>(counters.games);
        summary_.plies += static_cast<std::uint64_t>(counters.plies);
        summary_.postings += static_cast<std::uint64_t>(counters.positions);
    }

    bool is_cluster() const { return layout_.is_cluster(); }

    void report() {
        progress_.total_games = total_games_;
        if (options_.progress) options_.progress(progress_);
    }

    store::Store& database_;
    const Url& url_;
    const PushOptions& options_;
    store::SnapshotReaders readers_;
    store::LocalReader& reader_;  // the last one, which chooses blocks
    StoreInfo info_;
    Connection entry_;
    Ledger ledger_;
    Servers servers_;
    Layout layout_;
    Origin origin_ = 0;
    OriginPushes pushes_;
    std::vector<PushRecord> replaced_;
    bool records_were_lost_ = false;
    std::uint64_t mark_ = 0;
    std::uint64_t total_games_ = 0;
    PushProgress progress_;
    PushSummary summary_;
};

}  // namespace

PushSummary push_database(store::Store& database, const Url& url, const PushOptions& options) {
    return Push(database, url, options).run();
}

}  // namespace fendex::clickhouse
