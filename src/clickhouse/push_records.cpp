#include "clickhouse/push_records.hpp"

#include <string>

#include "base/checksum.hpp"
#include "clickhouse/client/row_binary.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/push_rows.hpp"
#include "clickhouse/schema.hpp"
#include "codec/record_block.hpp"

namespace fendex::clickhouse {

namespace {

/// Rows are sent when they have more bytes. Each insert makes a part on each shard.
constexpr std::size_t kBytesAtOnce = std::size_t{32} << 20;

}  // namespace

std::uint64_t mark_of_records(store::LocalReader& reader) {
    const store::PositionRecords* const records = reader.records();
    if (records == nullptr || records->count() == 0) return kNoRecords;
    std::uint64_t mark = records->count();
    RowWriter row;
    for (const store::StoredSource& source : reader.sources()) {
        if (!source.records) continue;
        row.clear();
        append_source(0, source, row);
        mark = base::checksum_seed({mark, *source.records, base::checksum(row.bytes(), 0)});
    }
    return mark | 2;  // neither 0 nor kNoRecords
}

std::uint64_t send_records(store::LocalReader& reader, Connection& connection, PushNumber push,
                           const std::function<void()>& step) {
    std::uint64_t sent = 0;
    store::PositionRecords* const records = reader.records();
    if (records == nullptr) return sent;
    RowWriter rows;
    codec::BitWriter scratch;
    std::string packed;
    records->for_each([&](const chess::AnyPosition& position, const codec::PositionRecord& record) {
        const codec::BestSearch best = codec::best_of(record);
        packed.clear();
        codec::pack_record(position, record, scratch, packed);
        rows.u32(push);
        rows.u64(position.key());
        rows.u32(static_cast<std::uint32_t>(best.score.value));
        rows.u8(best.score.is_mate ? 1 : 0);
        rows.u32(best.depth);
        rows.u8(static_cast<std::uint8_t>(best.pvs));
        rows.string(packed);
        ++sent;
        if (rows.bytes().size() >= kBytesAtOnce) {
            insert_rows(connection, kRecords, rows.bytes());
            rows.clear();
            step();
        }
        return true;
    });
    insert_rows(connection, kRecords, rows.bytes());
    return sent;
}

}  // namespace fendex::clickhouse
