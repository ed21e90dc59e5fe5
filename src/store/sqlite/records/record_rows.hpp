// The small rows that belong to the records of positions: runs, and sources. Each has a checksum of
// its own. The tables are made with the first records. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// A row of table `record_run`.
struct RecordRun {
    std::int64_t id = 0;
    std::int64_t source = 0;
    std::uint64_t end_byte = 0;
    std::uint64_t first_key = 0;
    std::uint64_t records = 0;
};

/// The row of table `meta` with the number of merged records.
inline constexpr char kRecordsMeta[] = "records";

bool has_record_tables(const Connection& connection);
/// Returns the number of merged records.
std::uint64_t merged_records(Connection& connection);

/// Returns the runs in the order of their ids. Throws StoreError if a row is damaged.
std::vector<RecordRun> record_runs(const Connection& connection);
/// Returns the checksum of a row.
std::int64_t record_run_sum(const RecordRun& run);
std::int64_t record_source_sum(std::int64_t source, std::uint64_t records);
/// Writes the row of a run, or writes it anew.
void put_record_run(Connection& connection, const RecordRun& run);

void remove_record_run(Connection& connection, std::int64_t run);

/// Returns the numbers of records that were read, by source. Throws StoreError if a row is damaged.
std::unordered_map<std::int64_t, std::uint64_t> record_sources(const Connection& connection);
void put_record_source(Connection& connection, std::int64_t source, std::uint64_t records);

}  // namespace fendex::store
