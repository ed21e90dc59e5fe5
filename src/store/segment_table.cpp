#include "store/segment_table.hpp"

#include "store/database.hpp"

namespace fendex::store {

namespace {

constexpr char kInsertBlock[] =
    "INSERT INTO block(segment, first_key, part, data) VALUES (?1, ?2, ?3, ?4)";
constexpr char kInsertSegment[] =
    "INSERT INTO segment(id, kind, first_game, last_game, postings, positions, key_bits)"
    " VALUES (?1, 0, ?2, ?3, ?4, ?5, ?6)";

}  // namespace

SegmentTable::SegmentTable(Connection& connection)
    : connection_(&connection),
      insert_block_(connection, kInsertBlock),
      insert_segment_(connection, kInsertSegment) {}

void SegmentTable::remove_remains() {
    connection_->run("DELETE FROM block WHERE segment > (SELECT ifnull(max(id), 0) FROM segment)");
}

GameId SegmentTable::last_game() {
    return static_cast<GameId>(
        connection_->integer("SELECT max(last_game) FROM segment WHERE kind = 0").value_or(0));
}

void SegmentTable::begin() {
    id_ = connection_->integer("SELECT max(id) FROM segment").value_or(0) + 1;
}

void SegmentTable::add_block(std::uint64_t first_key, unsigned part, std::string_view data) {
    insert_block_.bind(1, id_);
    insert_block_.bind(2, sql_order(first_key));
    insert_block_.bind(3, part);
    insert_block_.bind_blob(4, data);
    insert_block_.run();
}

void SegmentTable::end(const SegmentRecord& segment) {
    insert_segment_.bind(1, id_);
    insert_segment_.bind(2, as_signed(segment.first_game));
    insert_segment_.bind(3, as_signed(segment.last_game));
    insert_segment_.bind(4, as_signed(segment.postings));
    insert_segment_.bind(5, as_signed(segment.positions));
    insert_segment_.bind(6, segment.shape.key_bits);
    insert_segment_.run();
}

}  // namespace fendex::store
