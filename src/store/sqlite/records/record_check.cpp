#include "store/sqlite/records/record_check.hpp"

#include <optional>

#include "store/sqlite/file/database.hpp"
#include "store/sqlite/records/record_blocks.hpp"
#include "store/sqlite/records/record_rows.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

namespace {

constexpr char kAllMerged[] = "SELECT first_key, first_key, data FROM main.record_block ORDER BY 1";
constexpr char kAllOfRun[] =
    "SELECT id, first_key, data FROM main.record_run_block WHERE run = ?1 ORDER BY first_key";
constexpr char kDropMerged[] = "DELETE FROM main.record_block WHERE first_key = ?1";
constexpr char kDropOfRun[] = "DELETE FROM main.record_run_block WHERE id = ?1";
constexpr char kPutMergedBlock[] =
    "INSERT OR REPLACE INTO main.record_block(first_key, data) VALUES (?1, ?2)";
constexpr char kPutBlockOfRun[] =
    "INSERT OR REPLACE INTO main.record_run_block(run, first_key, data) VALUES (?1, ?2, ?3)";
constexpr char kAllRuns[] =
    "SELECT id, source, end_byte, first_key, records, sum FROM main.record_run"
    " UNION SELECT run, 0, 0, NULL, 0, NULL FROM main.record_run_block"
    " WHERE run NOT IN (SELECT id FROM main.record_run) ORDER BY 1";
constexpr char kAllRecordSources[] =
    "SELECT r.source, r.records, r.sum, s.id FROM main.record_source r"
    " LEFT JOIN main.source s ON s.id = r.source";
constexpr char kDropRecordSource[] = "DELETE FROM main.record_source WHERE source = ?1";
constexpr char kPutRecordsMeta[] =
    "INSERT OR REPLACE INTO main.meta(name, value) VALUES ('records', ?1)";

struct BlockRow {
    std::int64_t id = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t records = 0;
};

/// Reads every record of a block.
std::optional<BlockRow> intact_block(const BlockPlace& place, std::int64_t id, std::uint64_t first,
                                     std::string_view sealed) {
    const auto data = unsealed_record_block(place, first, sealed);
    const auto block = data ? codec::RecordBlock::open(*data, first) : std::nullopt;
    if (!block) return std::nullopt;
    try {
        BlockRecords records(*block, first, first);
        chess::AnyPosition position;
        codec::PositionRecord record;
        BlockRow row{id, first, block->last(), 0};
        for (; records.current() != nullptr; records.advance()) {
            if (!codec::unpack_record(records.current()->bits, position, record)) {
                return std::nullopt;
            }
            ++row.records;
        }
        return row;
    } catch (const DamageError&) {
        return std::nullopt;
    }
}

/// Checks or repairs the blocks of one place.
class PlaceCheck {
  public:
    using Visit = std::function<void(const RecordDamage&)>;

    PlaceCheck(Connection& connection, const BlockPlace& place, bool repairs, const Visit& visit)
        : connection_(connection), place_(place), repairs_(repairs), visit_(visit) {}

    /// Returns the number of records in blocks that are not damaged.
    std::uint64_t run() {
        const std::vector<BlockRow> rows = intact_rows();
        std::uint64_t expected = 0;
        bool is_complete = false;
        std::uint64_t records = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (is_complete || rows[i].first < expected) {
                complain(rows[i].id, "its keys are in the block before, too");
                if (repairs_) drop(rows[i].id);
                continue;
            }
            if (rows[i].first != expected) gap(expected, rows[i].first - 1);
            records += rows[i].records;
            is_complete = rows[i].last == kLastKey;
            expected = rows[i].last + 1;
        }
        if (!is_complete) gap(expected, kLastKey);
        return records;
    }

  private:
    const char* table() const { return place_.is_merged() ? "record_block" : "record_run_block"; }
    void complain(std::int64_t row, const std::string& message) const {
        visit_({table(), row, message});
    }

    std::vector<BlockRow> intact_rows() {
        std::vector<BlockRow> rows;
        std::vector<std::int64_t> damaged;
        Statement all(connection_, place_.is_merged() ? kAllMerged : kAllOfRun);
        if (!place_.is_merged()) all.bind(1, place_.run());
        while (all.step()) {
            const std::int64_t id = all.integer(0);
            if (auto row =
                    intact_block(place_, id, key_of_sql_order(all.integer(1)), all.blob(2))) {
                rows.push_back(*row);
            } else {
                damaged.push_back(id);
            }
        }
        for (const std::int64_t id : damaged) {
            complain(id, "a block of records has changed since it was written");
            if (repairs_) drop(id);
        }
        return rows;
    }

    /// Fills a gap with a block without records.
    void gap(std::uint64_t first, std::uint64_t last) {
        complain(sql_order(first), "there is no block of records for some keys");
        if (!repairs_) return;
        codec::RecordBlockWriter block;
        block.begin(first);
        std::string data = block.close(last);
        seal_record_block(place_, first, data);
        if (place_.is_merged()) {
            Statement(connection_, kPutMergedBlock).run(sql_order(first), Blob{data});
        } else {
            Statement(connection_, kPutBlockOfRun).run(place_.run(), sql_order(first), Blob{data});
        }
    }

    void drop(std::int64_t id) {
        Statement(connection_, place_.is_merged() ? kDropMerged : kDropOfRun).run(id);
    }

    Connection& connection_;
    BlockPlace place_;
    bool repairs_;
    const Visit& visit_;
};

struct RawRun {
    RecordRun row;
    bool is_right = false;  // as its checksum says
};

/// Returns the rows of runs as they are, and rows for runs that have blocks only.
std::vector<RawRun> raw_runs(const Connection& connection) {
    std::vector<RawRun> runs;
    Statement row(connection, kAllRuns);
    while (row.step()) {
        RawRun& run = runs.emplace_back();
        run.row = {row.integer(0), row.integer(1), static_cast<std::uint64_t>(row.integer(2)),
                   row.is_null(3) ? 0 : key_of_sql_order(row.integer(3)),
                   static_cast<std::uint64_t>(row.integer(4))};
        run.is_right = !row.is_null(5) && row.integer(5) == record_run_sum(run.row);
    }
    return runs;
}

/// Counts the records of a run that are not merged yet.
std::uint64_t count_waiting(const Connection& connection, const RecordRun& run) {
    RecordBlocks blocks(connection);
    std::uint64_t count = 0;
    for (RecordCursor cursor(blocks, BlockPlace::of_run(run.id), run.first_key);
         cursor.current() != nullptr; cursor.advance()) {
        ++count;
    }
    return count;
}

/// Checks or repairs all tables.
class RecordCheck {
  public:
    using Visit = PlaceCheck::Visit;

    RecordCheck(Connection& connection, bool repairs, const Visit& visit)
        : connection_(connection), repairs_(repairs), visit_([this, &visit](const auto& damage) {
              is_sound_ = false;
              visit(damage);
          }) {}

    void run() {
        if (!has_record_tables(connection_)) return;
        check_merged();
        for (RawRun& run : raw_runs(connection_)) check_run(run);
        check_sources();
    }

  private:
    void check_merged() {
        const std::uint64_t count =
            PlaceCheck(connection_, BlockPlace::merged(), repairs_, visit_).run();
        const std::uint64_t said = merged_records(connection_);
        if (is_sound_ && said != count) {
            visit_({"meta", 0,
                    "says that there are " + std::to_string(said) + " merged records, not " +
                        std::to_string(count)});
        }
        if (repairs_) Statement(connection_, kPutRecordsMeta).run(as_signed(count));
    }

    void check_run(RawRun& run) {
        if (!run.is_right) {
            visit_({"record_run", run.row.id, "the row of a run of records has changed"});
        }
        is_sound_ = true;
        PlaceCheck(connection_, BlockPlace::of_run(run.row.id), repairs_, visit_).run();
        if (!is_sound_ && !repairs_) return;
        const std::uint64_t count = count_waiting(connection_, run.row);
        if (is_sound_ && run.is_right && count != run.row.records) {
            visit_({"record_run", run.row.id,
                    "says that it has " + std::to_string(run.row.records) + " records, not " +
                        std::to_string(count)});
        }
        run.row.records = count;
        if (repairs_) put_record_run(connection_, run.row);
    }

    void check_sources() {
        struct Source {
            std::int64_t id = 0;
            std::uint64_t records = 0;
            bool exists = false;
        };
        std::vector<Source> wrong;
        Statement row(connection_, kAllRecordSources);
        while (row.step()) {
            const Source source{row.integer(0), static_cast<std::uint64_t>(row.integer(1)),
                                !row.is_null(3)};
            const bool is_right = row.integer(2) == record_source_sum(source.id, source.records);
            if (!is_right || !source.exists) wrong.push_back(source);
        }
        for (const Source& each : wrong) {
            visit_({"record_source", each.id,
                    each.exists ? "the number of records of a source has changed"
                                : "there is no such source"});
            if (!repairs_) continue;
            if (each.exists) {
                put_record_source(connection_, each.id, each.records);
            } else {
                Statement(connection_, kDropRecordSource).run(each.id);
            }
        }
    }

    Connection& connection_;
    bool repairs_;
    Visit visit_;
    bool is_sound_ = true;  // of the blocks that were checked last
};

}  // namespace

void check_records(Connection& connection, const std::function<void(const RecordDamage&)>& visit) {
    RecordCheck(connection, false, visit).run();
}

std::vector<RecordDamage> repair_records(Connection& connection) {
    std::vector<RecordDamage> damage;
    const std::function<void(const RecordDamage&)> keep = [&](const RecordDamage& each) {
        damage.push_back(each);
    };
    RecordCheck(connection, true, keep).run();
    return damage;
}

}  // namespace fendex::store
