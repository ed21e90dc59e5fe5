#include "clickhouse/ledger_rows.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "store/broken_game.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

using store::StoredError;
using store::StoredSource;
using store::StoreError;

constexpr char kSelectPlayers[] = "SELECT uniqExact(name) FROM name WHERE kind = 0 AND ";
constexpr char kAndPlayed[] =
    " AND name GLOBAL IN (SELECT arrayJoin([white, black]) FROM game WHERE ";
constexpr char kSelectDatabases[] =
    "SELECT DISTINCT origin, database FROM origin WHERE state = 1 ORDER BY origin";
constexpr char kCountSources[] = "SELECT count() FROM source WHERE ";
constexpr char kSelectSources[] =
    "SELECT origin, id, path, size, modified, first_byte, bytes, digest, resume_byte, resume_line,"
    " resume_digest, open_game, complete, first_game, games, duplicates, plies, errors, started,"
    " finished, options, prefixes FROM source WHERE ";
constexpr char kSelectErrors[] =
    "SELECT origin, id, source, game, byte, line, ply, reason, text, severity"
    " FROM import_error WHERE ";
constexpr char kSelectBrokenGame[] = "SELECT pgn FROM import_error WHERE ";

/// Errors that are read at once.
constexpr std::uint64_t kErrorsAtOnce = 4096;

std::int64_t cluster_number(Origin origin, std::int64_t number) {
    return static_cast<std::int64_t>(cluster_id(origin, static_cast<GameId>(number)));
}

/// The condition on the pushes that hold all sources and errors of each database: the newest ones
/// that have any.
std::string sql_newest_lists(const Snapshot& snapshot) {
    std::map<Origin, PushNumber> newest;
    for (const Snapshot::Push& push : snapshot.pushes()) {
        if (push.has_sources) newest[origin_of_push(push.number)] = push.number;
    }
    if (newest.empty()) return "push = 0";
    std::string out;
    for (const auto& [origin, push] : newest) {
        out += (out.empty() ? "push IN (" : ",") + std::to_string(push);
    }
    return out + ")";
}

/// A name of which all games were taken back stays in table name, but is no player any more.
std::string sql_players(const Snapshot& snapshot) {
    std::string sql = kSelectPlayers + snapshot.sql_pushes();
    if (!snapshot.has_taken_back()) return sql;
    return sql + kAndPlayed + snapshot.sql_pushes() + snapshot.sql_and_present("id") + ")";
}

/// A value of a type Nullable.
template <typename Read>
auto read_nullable(RowReader& row, Read read) -> std::optional<decltype(read(row))> {
    if (row.u8() != 0) return std::nullopt;
    return read(row);
}

std::uint64_t read_number(Connection& connection, const std::string& sql) {
    std::uint64_t out = 0;
    connection.query(sql, [&](RowReader& row) { out = row.u64(); });
    return out;
}

}  // namespace

store::StoreInfo read_info(ReadSession& session) {
    const Snapshot& snapshot = session.snapshot();
    Connection& connection = session.connection();
    PushCounters sum;
    std::set<Origin> origins;
    for (const Snapshot::Push& push : snapshot.pushes()) {
        origins.insert(origin_of_push(push.number));
        sum.add(push.counters);
    }
    store::StoreInfo info;
    info.games = static_cast<std::uint64_t>(sum.games);
    info.plies = static_cast<std::uint64_t>(sum.plies);
    info.positions = static_cast<std::uint64_t>(sum.positions);
    info.postings = info.positions;
    info.postings_written = info.positions;
    info.errors = static_cast<std::uint64_t>(sum.errors);
    info.warnings = static_cast<std::uint64_t>(sum.warnings);
    info.annotated_games = static_cast<std::uint64_t>(sum.annotated_games);
    info.annotation_bytes = static_cast<std::uint64_t>(sum.annotation_bytes);
    info.fingerprint = sum.fingerprint;
    info.last_game = snapshot.last_game();
    info.sources = read_number(connection, kCountSources + sql_newest_lists(snapshot));
    info.players = read_number(connection, sql_players(snapshot));
    std::size_t databases = 0;
    connection.query(kSelectDatabases, [&](RowReader& row) {
        const Origin origin = row.u16();
        const std::string_view id = row.string();
        if (!origins.contains(origin)) return;
        info.id = ++databases == 1 ? std::string(id) : std::string();
    });
    return info;
}

std::vector<StoredSource> read_sources(ReadSession& session) {
    const auto u64 = [](RowReader& in) { return in.u64(); };
    const auto i64 = [](RowReader& in) { return in.i64(); };
    std::vector<StoredSource> out;
    session.connection().query(
        kSelectSources + sql_newest_lists(session.snapshot()) + " ORDER BY origin, id",
        [&](RowReader& row) {
            StoredSource& source = out.emplace_back();
            const Origin origin = row.u16();
            source.id = cluster_number(origin, row.i64());
            source.file.path = row.string();
            source.file.size = read_nullable(row, u64);
            source.file.modified = read_nullable(row, i64);
            source.first_byte = row.u64();
            source.progress.bytes = row.u64();
            source.progress.digest = row.string();
            source.progress.resume.byte = row.u64();
            source.progress.resume.line = row.u64();
            source.progress.resume.digest = row.string();
            if (const auto game = read_nullable(row, u64)) {
                source.progress.open_game = cluster_id(origin, *game);
            }
            source.progress.complete = row.u8() != 0;
            source.first_game = cluster_id(origin, row.u64());
            source.games = row.u64();
            source.duplicates = row.u64();
            source.plies = row.u64();
            source.errors = row.u64();
            source.started = row.i64();
            source.finished = read_nullable(row, i64);
            source.options = row.string();
            source.progress.prefixes = row.string();
        });
    return out;
}

void for_each_error(ReadSession& session, const std::function<bool(const StoredError&)>& visit) {
    std::unordered_map<std::int64_t, std::string> paths;
    for (const StoredSource& source : read_sources(session)) paths[source.id] = source.file.path;
    const std::string select = kSelectErrors + sql_newest_lists(session.snapshot());
    Origin origin = 0;
    std::int64_t after = 0;
    for (bool more = true; more;) {
        std::vector<StoredError> errors;
        const std::string rest = " AND (origin > " + std::to_string(origin) +
                                 " OR origin = " + std::to_string(origin) + " AND id > " +
                                 std::to_string(after) + ") ORDER BY origin, id LIMIT " +
                                 std::to_string(kErrorsAtOnce);
        session.connection().query(select + rest, [&](RowReader& row) {
            StoredError& each = errors.emplace_back();
            origin = row.u16();
            after = row.i64();
            each.id = cluster_number(origin, after);
            each.source = cluster_number(origin, row.i64());
            if (const auto found = paths.find(each.source); found != paths.end()) {
                each.path = found->second;
            }
            if (const auto game = read_nullable(row, [](RowReader& in) { return in.u64(); })) {
                each.game = cluster_id(origin, *game);
            }
            each.error.byte = row.u64();
            each.error.line = row.u64();
            each.error.ply = read_nullable(row, [](RowReader& in) { return in.u32(); });
            each.error.reason = row.string();
            each.error.text = row.string();
            each.error.warning = row.u8() == store::kWarning;
        });
        for (const StoredError& each : errors) {
            if (!visit(each)) return;
        }
        more = errors.size() == kErrorsAtOnce;
    }
}

std::optional<std::string> read_broken_game(ReadSession& session, std::int64_t error) {
    const auto id = static_cast<GameId>(error);
    std::string packed;
    session.connection().query(kSelectBrokenGame + sql_newest_lists(session.snapshot()) +
                                   " AND origin = " + std::to_string(origin_of_game(id)) +
                                   " AND id = " + std::to_string(number_of_game(id)),
                               [&](RowReader& row) { packed = row.string(); });
    if (packed.empty()) return std::nullopt;
    std::optional<std::string> text = store::unpack_broken_game(packed);
    if (!text) {
        throw StoreError(StoreError::kDamaged, to_text(session.connection().url()) +
                                                   ": damaged: the text of error " +
                                                   std::to_string(error));
    }
    return text;
}

}  // namespace fendex::clickhouse
