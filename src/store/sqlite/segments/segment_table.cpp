#include "store/sqlite/segments/segment_table.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "store/sqlite/file/database.hpp"
#include "store/sqlite/segments/segment_reader.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectId[] = "SELECT 1 FROM segment WHERE id = ?1";
/// SQLite sorts values that are not integers after all integers.
constexpr char kSelectNextBlock[] =
    "SELECT segment FROM block WHERE segment > ?1 ORDER BY segment LIMIT 1";
constexpr char kInsertBlock[] =
    "INSERT INTO block(segment, first_key, part, data) VALUES (?1, ?2, ?3, ?4)";
constexpr char kInsertSegment[] =
    "INSERT INTO segment(id, kind, first_game, last_game, postings, positions, key_bits)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
constexpr char kOverlaps[] = "kind = ?1 AND first_game <= ?3 AND last_game >= ?2";
constexpr char kSelectOtherKind[] = "SELECT id FROM segment WHERE kind NOT IN (0, 1) LIMIT 1";
// Each deletes at most as many blocks as are written between two commits.
constexpr char kDeleteBlocks[] =
    "DELETE FROM block WHERE id IN (SELECT id FROM block WHERE segment = ?1 LIMIT 4096)";
constexpr char kDeleteOtherBlocks[] =
    "DELETE FROM block WHERE id IN"
    " (SELECT id FROM block WHERE segment > ?1 AND typeof(segment) <> 'integer' LIMIT 4096)";

}  // namespace

SegmentTable::SegmentTable(Connection& connection)
    : connection_(&connection),
      fine_sums_(connection),
      select_id_(connection, kSelectId),
      select_next_block_(connection, kSelectNextBlock),
      insert_block_(connection, kInsertBlock),
      insert_segment_(connection, kInsertSegment),
      delete_blocks_(connection, kDeleteBlocks),
      delete_other_blocks_(connection, kDeleteOtherBlocks) {}

GameId SegmentTable::last_game() {
    return connection_->number("SELECT max(last_game) FROM segment WHERE kind = 0");
}

std::int64_t SegmentTable::begin() {
    for (const char* sql : {"SELECT max(id) FROM segment", "SELECT max(segment) FROM block"}) {
        id_ = std::max(id_, connection_->integer(sql).value_or(0));
    }
    if (id_ == std::numeric_limits<std::int64_t>::max())
        connection_->throw_to_repair("the number of a segment");
    begun_.push_back(++id_);
    return id_;
}

void SegmentTable::add_block(std::uint64_t first_key, unsigned part, std::string_view data) {
    insert_block_.run(id_, sql_order(first_key), part, Blob{data});
}

void SegmentTable::put(std::span<const SegmentRecord> segments, RowSum& sum) {
    for (const SegmentRecord& segment : segments) {
        remove_overlapping(segment.kind, segment.first_game, segment.last_game, sum);
    }
    for (const SegmentRecord& segment : segments) {
        insert_segment_.run(segment.id, static_cast<std::int64_t>(segment.kind),
                            as_signed(segment.first_game), as_signed(segment.last_game),
                            as_signed(segment.postings), as_signed(segment.positions),
                            segment.shape.key_bits);
        sum.add(segment.id);
        std::erase(begun_, segment.id);
    }
}

GameId SegmentTable::remove_from(GameId first, RowSum& sum) {
    GameId variations = 0;
    for (const SegmentRecord& segment :
         read_segments(*connection_, SegmentKind::kVariations, true)) {
        if (segment.last_game >= first && variations == 0) variations = segment.first_game;
    }
    constexpr GameId kLast = std::numeric_limits<std::int64_t>::max();
    remove_overlapping(SegmentKind::kMainLine, first, kLast, sum);
    remove_overlapping(SegmentKind::kVariations, first, kLast, sum);
    return variations;
}

void SegmentTable::remove_overlapping(SegmentKind kind, GameId first, GameId last, RowSum& sum) {
    sum.remove(kOverlaps, {static_cast<std::int64_t>(kind), as_signed(first), as_signed(last)});
}

bool SegmentTable::remove_remains() {
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    while (true) {
        bool is_integer = false;
        std::int64_t id = 0;
        {
            const ResetAtEnd end(select_next_block_, last);
            if (!select_next_block_.step()) break;
            is_integer = select_next_block_.is_integer(0);
            id = select_next_block_.integer(0);
        }
        if (!is_integer) return remove(delete_other_blocks_, last);
        // Without this check, the loop might never end for a damaged file.
        if (id <= last) connection_->throw_to_repair("the order of table block");
        if (!is_segment(id) && !is_begun(id)) return remove(delete_blocks_, id);
        last = id;
    }
    return remove_fine_sums();
}

/// Removes the rows of one segment. Returns false if there are no more.
bool SegmentTable::remove_fine_sums() {
    auto id = fine_sums_.next_segment(std::numeric_limits<std::int64_t>::min());
    while (id && (is_segment(*id) || is_begun(*id))) id = fine_sums_.next_segment(*id);
    if (id) fine_sums_.remove(*id);
    return id.has_value();
}

bool SegmentTable::remove(Statement& statement, std::int64_t id) {
    statement.run(id);
    if (connection_->changes() == 0) connection_->throw_to_repair("the index of table block");
    return true;
}

void SegmentTable::require_sound(GameId last_game) {
    if (const auto id = connection_->integer(kSelectOtherKind)) {
        connection_->throw_to_repair("segment " + std::to_string(*id));
    }
    for (const SegmentKind kind : {SegmentKind::kMainLine, SegmentKind::kVariations}) {
        for (const SegmentRecord& segment : read_segments(*connection_, kind, true)) {
            if (segment.last_game > last_game)
                connection_->throw_to_repair("segment " + std::to_string(segment.id));
        }
    }
}

bool SegmentTable::is_begun(std::int64_t id) const {
    return std::ranges::find(begun_, id) != begun_.end();
}

bool SegmentTable::is_segment(std::int64_t id) {
    const ResetAtEnd end(select_id_, id);
    return select_id_.step();
}

}  // namespace fendex::store
