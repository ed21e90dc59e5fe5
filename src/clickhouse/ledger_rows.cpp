#include "clickhouse/ledger_rows.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/sql_text.hpp"
#include "store/broken_game.hpp"

namespace fendex::clickhouse {

namespace {

using store::StoredError;
using store::StoredSource;

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

constexpr char kCountJoinedNames[] = "SELECT count() FROM joined_name WHERE ";
constexpr char kSelectJoinedNames[] = "SELECT name, canonical FROM joined_name WHERE ";

constexpr std::uint64_t kErrorsAtOnce = 4096;

/// Reads the number of a source or an error in its database. Returns its number in the cluster.
std::int64_t read_number(AnswerRow& row, std::string_view column, Origin origin) {
    return static_cast<std::int64_t>(cluster_id(origin, row.number(column)));
}

/// Returns the condition on the pushes that have the sources, errors and joined names of the
/// databases. For each database that is the newest push with sources, which has all of them.
std::string sql_newest_lists(const Snapshot& snapshot) {
    std::map<Origin, PushNumber> newest;
    for (const Snapshot::Push& push : snapshot.pushes()) {
        if (push.has_sources) newest[origin_of_push(push.number)] = push.number;
    }
    if (newest.empty()) return "push = 0";
    return "push IN " + sql_list(newest, &std::pair<const Origin, PushNumber>::second);
}

/// Returns the query that counts players. A name stays in table name even if all its games were
/// taken back; then it no longer counts.
std::string sql_players(const Snapshot& snapshot) {
    std::string sql = kSelectPlayers + snapshot.sql_pushes();
    if (!snapshot.has_taken_back()) return sql;
    return sql + kAndPlayed + snapshot.sql_pushes() + snapshot.sql_and_present("id") + ")";
}

/// Returns a sum of counters of the ledger. Throws if it is negative.
std::uint64_t total(const Connection& connection, std::string_view column, std::int64_t sum) {
    if (sum < 0) {
        throw damaged(connection, "the sum of push." + std::string(column) + " is " +
                                      std::to_string(sum) + ", which no push writes");
    }
    return static_cast<std::uint64_t>(sum);
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
    info.games = total(connection, "games", sum.games);
    info.plies = total(connection, "plies", sum.plies);
    info.positions = total(connection, "positions", sum.positions);
    info.postings = info.positions;
    info.postings_written = info.positions;
    info.errors = total(connection, "errors", sum.errors);
    info.warnings = total(connection, "warnings", sum.warnings);
    info.annotated_games = total(connection, "annotated_games", sum.annotated_games);
    info.annotation_bytes = total(connection, "annotation_bytes", sum.annotation_bytes);
    info.fingerprint = sum.fingerprint;
    info.last_game = snapshot.last_game();
    info.records = snapshot.records();
    info.sources = read_count(connection, "source", kCountSources + sql_newest_lists(snapshot));
    info.joined_names =
        read_count(connection, "joined_name", kCountJoinedNames + sql_newest_lists(snapshot));
    std::size_t databases = 0;
    read_rows(connection, "origin", kSelectDatabases, [&](AnswerRow& row) {
        const Origin origin = row.origin();
        const std::string_view id = row.text();
        if (!origins.contains(origin)) return;
        info.id = ++databases == 1 ? std::string(id) : std::string();
    });
    return info;
}

std::uint64_t count_players(ReadSession& session) {
    return read_count(session.connection(), "name", sql_players(session.snapshot()));
}

namespace {

/// Reads the columns in the order of kSelectSources.
void read_source(AnswerRow& row, StoredSource& source) {
    const Origin origin = row.origin();
    source.id = read_number(row, "id", origin);
    source.file.path = row.text();
    source.file.size = row.nullable("size", [&] { return row.any_u64(); });
    source.file.modified = row.nullable("modified", [&] { return row.any_i64(); });
    source.first_byte = row.any_u64();
    source.progress.bytes = row.any_u64();
    source.progress.digest = row.text();
    source.progress.resume.byte = row.any_u64();
    source.progress.resume.line = row.any_u64();
    source.progress.resume.digest = row.text();
    if (const auto game = row.nullable("open_game", [&] { return row.number("open_game"); })) {
        source.progress.open_game = cluster_id(origin, *game);
    }
    source.progress.complete = row.flag("complete");
    source.first_game = cluster_id(origin, row.number("first_game"));
    source.games = row.number("games");
    source.duplicates = row.count("duplicates");
    source.plies = row.count("plies");
    source.errors = row.count("errors");
    source.started = row.time("started");
    source.finished = row.nullable("finished", [&] { return row.time("finished"); });
    source.options = row.text();
    source.progress.prefixes = row.text();
}

/// Reads the columns in the order of kSelectErrors, beginning at the source.
void read_error(AnswerRow& row, Origin origin, StoredError& error) {
    error.source = read_number(row, "source", origin);
    if (const auto game = row.nullable("game", [&] { return row.number("game"); })) {
        error.game = cluster_id(origin, *game);
    }
    error.error.byte = row.any_u64();
    error.error.line = row.any_u64();
    error.error.ply = row.nullable("ply", [&] { return row.any_u32(); });
    error.error.reason = row.text();
    error.error.text = row.text();
    error.error.warning = row.u8("severity", store::kWarning) == store::kWarning;
}

}  // namespace

std::vector<StoredSource> read_sources(ReadSession& session) {
    std::vector<StoredSource> out;
    read_rows(session.connection(), "source",
              kSelectSources + sql_newest_lists(session.snapshot()) + " ORDER BY origin, id",
              [&](AnswerRow& row) { read_source(row, out.emplace_back()); });
    return out;
}

void for_each_joined_name(ReadSession& session, store::NameKind kind,
                          const std::function<void(std::string_view, std::string_view)>& visit) {
    session.connection().query(kSelectJoinedNames + sql_newest_lists(session.snapshot()) +
                                   " AND kind = " + std::to_string(static_cast<unsigned>(kind)) +
                                   " ORDER BY name",
                               [&](RowReader& row) {
                                   const std::string name(row.string());
                                   visit(name, row.string());
                               });
}

void for_each_error(ReadSession& session, const std::function<bool(const StoredError&)>& visit) {
    std::unordered_map<std::int64_t, std::string> paths;
    for (const StoredSource& source : read_sources(session)) paths[source.id] = source.file.path;
    const std::string select = kSelectErrors + sql_newest_lists(session.snapshot());
    // The last error that was read: its database, and its number there.
    Origin origin = 0;
    std::uint64_t after = 0;
    for (bool more = true; more;) {
        std::vector<StoredError> errors;
        const std::string rest = " AND (origin > " + std::to_string(origin) +
                                 " OR origin = " + std::to_string(origin) + " AND id > " +
                                 std::to_string(after) + ") ORDER BY origin, id LIMIT " +
                                 std::to_string(kErrorsAtOnce);
        read_rows(session.connection(), "import_error", select + rest, [&](AnswerRow& row) {
            const Origin next = row.origin();
            const std::uint64_t id = row.number("id");
            if (cluster_id(next, id) <= cluster_id(origin, after)) row.refuse_row("id", id);
            origin = next;
            after = id;
            StoredError& each = errors.emplace_back();
            each.id = static_cast<std::int64_t>(cluster_id(origin, id));
            read_error(row, origin, each);
            if (const auto found = paths.find(each.source); found != paths.end()) {
                each.path = found->second;
            }
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
        throw damaged(session.connection(), "import_error.pgn of error " + std::to_string(error) +
                                                " is not what a push writes");
    }
    return text;
}

}  // namespace fendex::clickhouse
