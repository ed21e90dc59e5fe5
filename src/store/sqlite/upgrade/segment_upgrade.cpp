#include "store/sqlite/upgrade/segment_upgrade.hpp"

#include <optional>
#include <utility>

#include "codec/big_position.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectOldBlocks[] =
    "SELECT id, first_key, part, data FROM block WHERE segment = ?1 ORDER BY first_key, part";

struct DamagedSegment {};

void flush(codec::BlockBuilder& builder, std::uint64_t end, SegmentTable& rows) {
    if (builder.empty()) return;
    const codec::Block block = builder.take(end);
    rows.add_block(block.first_key, 0, block.data);
}

void add_runs(std::string_view block, const codec::SegmentShape& old_shape,
              std::optional<std::uint64_t>& last_run, codec::BlockBuilder& builder,
              SegmentTable& rows) {
    const auto ignore = [](const codec::BlockEntry&) {};
    if (codec::for_each_entry(block, old_shape, ignore) != codec::BlockStatus::kOk) {
        throw DamagedSegment();
    }
    const codec::detail::Directory directory(block, old_shape);
    for (std::size_t i = 0; i < directory.size(); ++i) {
        const codec::KeyRun run{directory.first_key(i), std::string(directory.bytes(i))};
        if (last_run && run.first_key <= *last_run) throw DamagedSegment();
        last_run = run.first_key;
        if (builder.add(run)) continue;
        flush(builder, run.first_key, rows);
        static_cast<void>(builder.add(run));  // fits an empty builder
    }
}

}  // namespace

std::uint64_t SegmentUpgrade::run() {
    connection_.run("DELETE FROM block WHERE segment NOT IN (SELECT id FROM segment)");
    std::vector<OldSegment> segments;
    {
        Statement select(connection_,
                         "SELECT id, kind, first_game, last_game, key_bits FROM segment"
                         " ORDER BY kind, first_game");
        while (select.step()) {
            segments.push_back({select.integer(0), static_cast<SegmentKind>(select.integer(1)),
                                select.integer(2), select.integer(3), select.integer(4)});
        }
    }
    // If a segment is dropped, the later ones are dropped, too: main lines have no gaps.
    bool dropping = false;
    for (const OldSegment& segment : segments) {
        const bool main_line = segment.kind == SegmentKind::kMainLine;
        connection_.run("SAVEPOINT segment");
        try {
            if (main_line && dropping) throw DamagedSegment();
            rewrite(segment);
        } catch (const DamagedSegment&) {
            connection_.run("ROLLBACK TO segment");
            drop(segment);
            if (main_line) dropping = true;
        }
        connection_.run("RELEASE segment");
    }
    return dropped_;
}

void SegmentUpgrade::drop(const OldSegment& segment) {
    const std::string id = std::to_string(segment.id);
    connection_.run("DELETE FROM segment WHERE id = " + id);
    connection_.run("DELETE FROM block WHERE segment = " + id);
    if (segment.kind == SegmentKind::kVariations) {
        // Annotated games are searched one by one from the first game of the segment on.
        connection_.run(
            "INSERT INTO meta(name, value) VALUES ('variations_from', max(1, " +
            std::to_string(segment.first_game) +
            ")) ON CONFLICT(name) DO UPDATE SET value ="
            " CASE value WHEN 0 THEN excluded.value ELSE min(value, excluded.value) END");
    }
    ++dropped_;
}

/// Copies the rows of a segment to a new one, with checksums.
void SegmentUpgrade::rewrite(const OldSegment& segment) {
    if (segment.first_game < 1 || segment.last_game < segment.first_game ||
        segment.last_game - segment.first_game >= std::int64_t{codec::Posting::kMaxGames} ||
        segment.key_bits < 8 || segment.key_bits > 48) {
        throw DamagedSegment();
    }
    codec::SegmentShape old_shape{
        static_cast<unsigned>(segment.key_bits),
        static_cast<std::uint64_t>(segment.last_game - segment.first_game) + 1};
    shape_ = sealed_shape(old_shape, segment.kind, static_cast<GameId>(segment.first_game));
    old_shape.checked = false;
    SegmentTable rows(connection_);
    const std::int64_t id = rows.begin();
    codec::BlockBuilder builder(shape_);
    std::optional<std::pair<std::uint64_t, std::int64_t>> last;
    std::optional<std::uint64_t> last_run;
    Statement select(connection_, kSelectOldBlocks);
    Statement remove(connection_, "DELETE FROM block WHERE id = ?1");
    select.bind(1, segment.id);
    while (select.step()) {
        const std::pair at{key_of_sql_order(select.integer(1)), select.integer(2)};
        if (last && at <= *last) throw DamagedSegment();
        last = at;
        const auto& [key, part] = at;
        if (part == 0) {
            add_runs(select.blob(3), old_shape, last_run, builder, rows);
        } else {
            add_part(select.blob(3), old_shape, key, part, rows);
        }
        remove.run(select.integer(0));
        count_row_();
    }
    flush(builder, codec::kNoKey, rows);
    connection_.run("UPDATE segment SET id = " + std::to_string(id) +
                    " WHERE id = " + std::to_string(segment.id));
}

void SegmentUpgrade::add_part(std::string_view data, const codec::SegmentShape& old_shape,
                              std::uint64_t key, std::int64_t part, SegmentTable& rows) {
    chunk_.clear();
    const bool is_good = part == 1 ? codec::decode_summary(data).has_value()
                                   : codec::decode_big_postings(data, old_shape, key, chunk_) ==
                                         codec::BlockStatus::kOk;
    if (part < 0 || part > INT32_MAX || !is_good) throw DamagedSegment();
    const auto number = static_cast<unsigned>(part);
    std::string bytes(data);
    base::seal(bytes, part_seed(shape_, key, number));
    rows.add_block(key, number, bytes);
}

}  // namespace fendex::store
