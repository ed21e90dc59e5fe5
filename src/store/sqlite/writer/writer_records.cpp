#include "store/sqlite/writer/sqlite_writer.hpp"

namespace fendex::store {

namespace {

/// Sources that were being read when an import ended. What was read of them may be taken back, if
/// the rest shows that the text is damaged.
constexpr char kSelectUnfinished[] =
    "SELECT id FROM source WHERE complete = 0 AND bytes = resume_byte";

}  // namespace

/// Makes a run of the records that wait.
void SqliteWriter::put_records() {
    if (reads_records_) {
        const StoredSource& source = sources_.current();
        records_.flush(source.id, source.progress.resume.byte);
        records_.put_source(source.id, source.records.value_or(0));
    }
    if (records_.has_tables()) put_meta(kRecordsMeta, as_signed(records_.merged()));
}

/// Must be called before another source begins.
void SqliteWriter::end_records() {
    put_records();
    reads_records_ = false;
}

std::vector<std::int64_t> SqliteWriter::unfinished_sources() {
    std::vector<std::int64_t> sources;
    Statement select(connection_, kSelectUnfinished);
    while (select.step()) sources.push_back(select.integer(0));
    return sources;
}

void SqliteWriter::merge(const std::function<bool()>& go_on) {
    merge_runs(unfinished_sources(), go_on);
}

void SqliteWriter::merge_runs(const std::vector<std::int64_t>& unfinished,
                              const std::function<bool()>& go_on) {
    records_.merge(unfinished, [&] {
        put_meta(kRecordsMeta, as_signed(records_.merged()));
        commit_transaction();
        return go_on();
    });
}

}  // namespace fendex::store
