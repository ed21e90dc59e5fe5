#include <algorithm>

#include "store/sqlite/file/memory_shares.hpp"
#include "store/sqlite/writer/sqlite_writer.hpp"

namespace fendex::store {

namespace {

/// Bytes of facts of stored games that an import keeps: it reads those of a segment in their order.
constexpr std::size_t kFactsKept = std::size_t{4} << 20;

}  // namespace

void SqliteWriter::put_segments(std::span<const SegmentRecord> segments) {
    segments_.put(segments, sums_.segments());
    for (const SegmentRecord& segment : segments) totals_.postings_written += segment.postings;
    replaced_ = true;
}

GrowingIndex* SqliteWriter::begin_index(const IndexOptions& options) {
    chunks_.limit_facts(kFactsKept);
    games_.limit_names(names_memory(options.memory_bytes));
    many_names_pages_ = pages_memory(options.memory_bytes);
    records_.limit(waiting_records_memory(options.memory_bytes));
    indexing_.emplace(connection_.path(), options, *this);
    indexing_->write_variations();
    indexing_->take_leftovers();
    // The last game of a source that goes on may be taken back. It must not wait for a segment
    // then, because its values would be in the segment's sums.
    const GameId open_game = connection_.number("SELECT max(open_game) FROM source");
    const bool waits = open_game >= unindexed().first;
    if (waits && indexing_->has_waiting()) indexing_->write();
    if (options.variations) set_variations_from(next_game());
    return &*indexing_;
}

/// Has the variations of games from `game` on indexed, as far as they were or are to be indexed.
void SqliteWriter::index_variations_from(GameId game) {
    GameId first = 0;
    for (const SegmentRecord& segment : segments(SegmentKind::kVariations)) {
        if (segment.last_game >= game && (first == 0 || segment.first_game < first)) {
            first = segment.first_game;
        }
    }
    const GameId waiting = variations_from();
    if (waiting != 0) first = first == 0 ? game : std::min(first, game);
    if (first != 0 && (waiting == 0 || first < waiting)) set_variations_from(first);
}

void SqliteWriter::remove_remains() {
    while (segments_.remove_remains()) {
        connection_.run("COMMIT");
        begin();
    }
}

}  // namespace fendex::store
