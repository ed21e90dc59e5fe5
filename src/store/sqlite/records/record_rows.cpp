#include "store/sqlite/records/record_rows.hpp"

#include <string>

#include "store/sqlite/file/database.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

namespace {

constexpr char kHasTables[] = "SELECT 1 FROM main.sqlite_schema WHERE name = 'record_run'";
constexpr char kSelectRecordRuns[] =
    "SELECT id, source, end_byte, first_key, records, sum FROM main.record_run ORDER BY id";
constexpr char kPutRecordRun[] =
    "INSERT OR REPLACE INTO main.record_run(id, source, end_byte, first_key, records, sum)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
constexpr char kSelectRecordSources[] = "SELECT source, records, sum FROM main.record_source";
constexpr char kPutRecordSource[] =
    "INSERT OR REPLACE INTO main.record_source(source, records, sum) VALUES (?1, ?2, ?3)";

}  // namespace

std::int64_t record_run_sum(const RecordRun& run) {
    return base::checksum({}, base::checksum_seed({static_cast<std::uint64_t>(Sealed::kRecordRun),
                                                   static_cast<std::uint64_t>(run.id),
                                                   static_cast<std::uint64_t>(run.source),
                                                   run.end_byte, run.first_key, run.records}));
}

std::int64_t record_source_sum(std::int64_t source, std::uint64_t records) {
    return base::checksum({},
                          base::checksum_seed({static_cast<std::uint64_t>(Sealed::kRecordSource),
                                               static_cast<std::uint64_t>(source), records}));
}

bool has_record_tables(const Connection& connection) {
    return Statement(connection, kHasTables).step();
}

std::uint64_t merged_records(Connection& connection) {
    return static_cast<std::uint64_t>(
        connection
            .integer(std::string("SELECT value FROM main.meta WHERE name = '") + kRecordsMeta + "'")
            .value_or(0));
}

std::vector<RecordRun> record_runs(const Connection& connection) {
    std::vector<RecordRun> runs;
    Statement row(connection, kSelectRecordRuns);
    while (row.step()) {
        const auto number = [&](int column) {
            return static_cast<std::uint64_t>(row.integer(column));
        };
        const RecordRun run{row.integer(0), row.integer(1), number(2),
                            key_of_sql_order(row.integer(3)), number(4)};
        if (row.integer(5) != record_run_sum(run)) throw_mismatch(connection, "record_run", run.id);
        runs.push_back(run);
    }
    return runs;
}

void put_record_run(Connection& connection, const RecordRun& run) {
    Statement put(connection, kPutRecordRun);
    put.run(run.id, run.source, as_signed(run.end_byte), sql_order(run.first_key),
            as_signed(run.records), record_run_sum(run));
}

void remove_record_run(Connection& connection, std::int64_t run) {
    Statement(connection, "DELETE FROM main.record_run WHERE id = ?1").run(run);
}

std::unordered_map<std::int64_t, std::uint64_t> record_sources(const Connection& connection) {
    std::unordered_map<std::int64_t, std::uint64_t> sources;
    Statement row(connection, kSelectRecordSources);
    while (row.step()) {
        const std::int64_t source = row.integer(0);
        const auto records = static_cast<std::uint64_t>(row.integer(1));
        if (row.integer(2) != record_source_sum(source, records)) {
            throw_mismatch(connection, "record_source", source);
        }
        sources[source] = records;
    }
    return sources;
}

void put_record_source(Connection& connection, std::int64_t source, std::uint64_t records) {
    Statement put(connection, kPutRecordSource);
    put.run(source, as_signed(records), record_source_sum(source, records));
}

}  // namespace fendex::store
