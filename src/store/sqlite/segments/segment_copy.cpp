#include "store/sqlite/segments/segment_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "store/sqlite/segments/fine_sum_table.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

namespace {

/// Rows between two commits. This limits the write-ahead log to some 64 MiB.
constexpr std::uint64_t kRowsPerCommit = 4096;

/// Notes the rows of a segment, and finds out whether one is missing.
class SeenRows {
  public:
    void add_block(std::uint64_t first_key, std::uint64_t end) { ends_.emplace(first_key, end); }
    void add_summary(std::uint64_t key, const codec::PositionSummary& summary, std::uint32_t mark) {
        marks_.emplace(key, mark);
        for (const codec::GroupSummary& group : summary.groups) chunks_[key] += group.chunks;
    }
    void add_chunk(std::uint64_t key) { --chunks_[key]; }

    /// The marks of summaries, by key (segments/fine_sum_table.hpp).
    const std::map<std::uint64_t, std::uint32_t>& marks() const { return marks_; }

    /// Each block ends where the next one begins, and each big position has all its chunks.
    bool are_complete(const SegmentRecord& segment) const {
        if (ends_.empty()) return segment.postings == 0;
        std::uint64_t next = 0;
        for (const auto& [first_key, end] : ends_) {
            if (first_key != next) return false;
            next = end;
        }
        return next == codec::kNoKey &&
               std::ranges::all_of(chunks_, [](const auto& each) { return each.second == 0; });
    }

  private:
    std::map<std::uint64_t, std::uint64_t> ends_;   // of blocks, by their first keys
    std::map<std::uint64_t, std::int64_t> chunks_;  // expected, minus those seen
    std::map<std::uint64_t, std::uint32_t> marks_;
};

/// Gives a row the checksums of the segment with `shape`. Returns false if it is damaged.
bool reseal_row(const SegmentRecord& segment, const codec::SegmentShape& shape, std::uint64_t key,
                unsigned part, std::string& data, SeenRows& seen) {
    if (part == 0) {
        const auto end = codec::reseal(data, key, segment.shape, shape.seed);
        if (end) seen.add_block(key, *end);
        return end.has_value();
    }
    const auto bytes = unsealed_part(data, segment.shape, key, part);
    if (!bytes) return false;
    if (part == 1) {
        const auto summary = codec::decode_summary(*bytes);
        if (!summary) return false;
        seen.add_summary(key, *summary, mark_of_summary(*bytes));
    } else {
        seen.add_chunk(key);
    }
    data.resize(bytes->size());
    base::seal(data, part_seed(shape, key, part));
    return true;
}

/// Calls put() with the rows for the segment with `shape`. Returns false if a row is damaged or
/// missing.
template <typename Put>
bool put_resealed(SegmentReader& from, const SegmentRecord& segment,
                  const codec::SegmentShape& shape, SeenRows& seen, Put put) {
    bool is_sound = true;
    std::string copy;
    from.for_each_row(segment, [&](std::uint64_t key, unsigned part, std::string_view data) {
        if (!is_sound) return;
        copy = data;
        is_sound = reseal_row(segment, shape, key, part, copy, seen);
        if (is_sound) put(key, part, copy);
    });
    return is_sound && seen.are_complete(segment);
}

/// Does the same with the fine sums of the positions that were seen. Rows of other summaries are
/// left out.
bool put_fine_sums(SegmentReader& from, const SegmentRecord& segment,
                   const codec::SegmentShape& shape, const SeenRows& seen,
                   SegmentedWriter& writer) {
    for (const auto& [key, mark] : seen.marks()) {
        const auto data = from.fine_sums().row(segment.id, key);
        if (!data) continue;
        const auto row = read_fine_row(*data, segment.shape, key);
        if (!row) return false;
        if (row->mark == mark) writer.add_fine_sums(key, fine_row(row->encoded, mark, shape, key));
    }
    return true;
}

}  // namespace

std::optional<SegmentRecord> copy_segment(SegmentReader& from, const SegmentRecord& segment,
                                          GameId first, SegmentedWriter& writer) {
    SegmentRecord out = segment;
    out.first_game = first;
    out.last_game = first + (segment.last_game - segment.first_game);
    out.shape = sealed_shape(segment.shape, segment.kind, first);
    out.id = writer.begin_segment();
    std::uint64_t rows = 0;
    SeenRows seen;
    const auto put = [&](std::uint64_t key, unsigned part, const std::string& data) {
        writer.add_block(key, part, data);
        if (++rows % kRowsPerCommit == 0) writer.commit();
    };
    try {
        if (put_resealed(from, segment, out.shape, seen, put) &&
            put_fine_sums(from, segment, out.shape, seen, writer)) {
            return out;
        }
    } catch (const DamageError&) {
        // Its postings will be collected from the games.
    }
    writer.give_up_segment(out.id);
    writer.commit();
    return std::nullopt;
}

}  // namespace fendex::store
