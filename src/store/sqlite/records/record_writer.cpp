#include "store/sqlite/records/record_writer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "schema_sql.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/records/record_merge.hpp"
#include "store/sqlite/records/record_streams.hpp"

namespace fendex::store {

namespace {

constexpr char kInsertOfRun[] =
    "INSERT INTO record_run_block(run, first_key, data) VALUES (?1, ?2, ?3)";
constexpr char kInsertFirstBlock[] = "INSERT INTO record_block(first_key, data) VALUES (?1, ?2)";
constexpr char kRemoveRunBlocks[] = "DELETE FROM record_run_block WHERE run = ?1";
constexpr char kDropTables[] =
    "DROP TABLE record_block; DROP TABLE record_run_block; DROP TABLE record_run;"
    " DROP TABLE record_source; DELETE FROM meta WHERE name = 'records'";

}  // namespace

void RecordWriter::load() {
    buffer_.clear();
    has_tables_ = has_record_tables(connection_);
    merged_ = has_tables_ ? merged_records(connection_) : 0;
    runs_ = has_tables_ ? record_runs(connection_) : std::vector<RecordRun>();
}

void RecordWriter::make_tables() {
    if (std::exchange(has_tables_, true)) return;
    connection_.run(sql::kRecordsSql);
    codec::RecordBlockWriter block;
    block.begin(0);
    std::string data = block.close(kLastKey);
    seal_record_block(BlockPlace::merged(), 0, data);
    Statement(connection_, kInsertFirstBlock).run(sql_order(0), Blob{data});
}

void RecordWriter::add(const NewGames& batch) { buffer_.add(batch); }

void RecordWriter::put_source(std::int64_t source, std::uint64_t records) {
    make_tables();
    put_record_source(connection_, source, records);
}

void RecordWriter::flush(std::int64_t source, std::uint64_t end_byte) {
    if (buffer_.size() == 0) return;
    make_tables();
    RecordRun run;
    run.id = runs_.empty() ? 1 : runs_.back().id + 1;
    run.source = source;
    run.end_byte = end_byte;
    Statement insert(connection_, kInsertOfRun);
    codec::RecordBlockWriter block;
    const auto write = [&](std::uint64_t last) {
        std::string data = block.close(last);
        seal_record_block(BlockPlace::of_run(run.id), block.first(), data);
        insert.run(run.id, sql_order(block.first()), Blob{data});
        run.records += block.count();
    };
    RecordBuffer::Stream waiting(buffer_);
    MergedRecords records({&waiting});
    block.begin(0);
    for (; const codec::PackedRecord* const record = records.current(); records.advance()) {
        if (block.is_full_before(*record)) {
            write(record->key - 1);
            block.begin(record->key);
        }
        block.add(*record);
    }
    write(kLastKey);
    put_record_run(connection_, run);
    runs_.push_back(run);
}

void RecordWriter::retract(std::int64_t source, std::uint64_t end_byte) {
    buffer_.clear();
    std::erase_if(runs_, [&](const RecordRun& run) {
        if (run.source != source || run.end_byte <= end_byte) return false;
        Statement(connection_, kRemoveRunBlocks).run(run.id);
        remove_record_run(connection_, run.id);
        return true;
    });
}

void RecordWriter::merge(const std::vector<std::int64_t>& unfinished,
                         const std::function<bool()>& commit) {
    std::vector<RecordRun> merging;
    std::vector<RecordRun> others;
    for (const RecordRun& run : runs_) {
        const bool waits =
            std::find(unfinished.begin(), unfinished.end(), run.source) != unfinished.end();
        (waits ? others : merging).push_back(run);
    }
    most_runs_ = others.size() + kMostRuns;
    if (merging.empty()) return;
    RecordMerge merge(connection_, kPieceBytes);
    for (bool more = true; more;) {
        std::int64_t added = 0;
        more = merge.merge_piece(merging, added);
        merged_ += static_cast<std::uint64_t>(added);
        runs_ = merging;
        runs_.insert(runs_.end(), others.begin(), others.end());
        std::sort(runs_.begin(), runs_.end(),
                  [](const RecordRun& a, const RecordRun& b) { return a.id < b.id; });
        if (!commit()) return;
    }
}

std::uint64_t RecordWriter::remove_all() {
    if (!has_tables_) return 0;
    std::uint64_t count = merged_;
    for (const RecordRun& run : runs_) count += run.records;
    connection_.run(kDropTables);
    load();
    return count;
}

}  // namespace fendex::store
