#include "store/sqlite/segments/fine_sum_table.hpp"

#include "base/checksum.hpp"
#include "codec/bits.hpp"
#include "schema_sql.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

namespace {

constexpr char kHasFineSums[] =
    "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'fine_sum'";
constexpr char kSelect[] = "SELECT data FROM main.fine_sum WHERE segment = ?1 AND key = ?2";
constexpr char kInsert[] =
    "INSERT OR REPLACE INTO fine_sum(segment, key, data) VALUES (?1, ?2, ?3)";
constexpr char kRemove[] = "DELETE FROM fine_sum WHERE segment = ?1 AND key = ?2";
constexpr char kRemoveSegment[] = "DELETE FROM fine_sum WHERE segment = ?1";

constexpr char kNextSegment[] =
    "SELECT segment FROM fine_sum WHERE segment > ?1 ORDER BY segment LIMIT 1";

/// The checksum of a row is made as if it were a part of the position that no block has.
constexpr std::uint64_t kFinePart = UINT64_MAX;

}  // namespace

std::uint32_t mark_of_summary(std::string_view bytes) {
    return base::checksum(bytes, row_seed(Sealed::kFineSum, 0));
}

std::string fine_row(std::string_view encoded, std::uint32_t mark, const codec::SegmentShape& shape,
                     std::uint64_t key) {
    std::string data;
    codec::put_varint(mark, data);
    data += encoded;
    base::seal(data, part_seed(shape, key, kFinePart));
    return data;
}

std::optional<FineRow> read_fine_row(std::string_view data, const codec::SegmentShape& shape,
                                     std::uint64_t key) {
    const auto bytes = base::unseal(data, part_seed(shape, key, kFinePart));
    if (!bytes) return std::nullopt;
    codec::ByteReader in(*bytes);
    const auto mark = static_cast<std::uint32_t>(in.varint());
    if (in.failed()) return std::nullopt;
    return FineRow{mark, in.rest()};
}

bool has_fine_sums(const Connection& connection) {
    Statement select(connection, kHasFineSums);
    return select.step();
}

void FineSumReader::load() {
    exists_ = has_fine_sums(*connection_);
    if (!exists_) select_.reset();
}

std::optional<std::string_view> FineSumReader::row(std::int64_t segment, std::uint64_t key) {
    if (!exists_) return std::nullopt;
    if (!select_) select_.emplace(*connection_, kSelect);
    const ResetAtEnd end(*select_, segment, sql_order(key));
    if (!select_->step()) return std::nullopt;
    data_ = select_->blob(0);
    return data_;
}

std::optional<codec::FineSums> FineSumReader::find(const SegmentRecord& segment, std::uint64_t key,
                                                   std::optional<std::uint32_t> mark) {
    const auto data = row(segment.id, key);
    if (!data) return std::nullopt;
    const auto row = read_fine_row(*data, segment.shape, key);
    if (row && mark && row->mark != *mark) return std::nullopt;
    auto sums = row ? codec::decode_fine_sums(row->encoded, segment.shape.games) : std::nullopt;
    if (!sums) throw_mismatch(*connection_, "fine_sum", segment.id);
    return sums;
}

void FineSumTable::put(std::int64_t segment, std::uint64_t key, std::string_view data) {
    if (!insert_) {
        if (!has_fine_sums(*connection_)) connection_->run(sql::kSumsSql);
        insert_.emplace(*connection_, kInsert);
    }
    insert_->run(segment, sql_order(key), Blob{data});
}

void FineSumTable::remove(std::int64_t segment, std::uint64_t key) {
    if (!has_fine_sums(*connection_)) return;
    Statement(*connection_, kRemove).run(segment, sql_order(key));
}

void FineSumTable::remove(std::int64_t segment) {
    if (!has_fine_sums(*connection_)) return;
    Statement(*connection_, kRemoveSegment).run(segment);
}

std::optional<std::int64_t> FineSumTable::next_segment(std::int64_t after) {
    if (!has_fine_sums(*connection_)) return std::nullopt;
    Statement select(*connection_, kNextSegment);
    select.bind_all(after);
    return select.step() ? std::optional(select.integer(0)) : std::nullopt;
}

}  // namespace fendex::store
