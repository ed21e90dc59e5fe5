#include "store/sqlite/segment_writer.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "store/sqlite/position_summary.hpp"
#include "store/sqlite/seals.hpp"

namespace fendex::store {

using codec::Posting;

namespace {

/// Blocks between two commits: bounds the write-ahead log to some 64 MiB.
constexpr unsigned kBlocksPerCommit = 4096;

struct EncodedPartition {
    std::vector<codec::KeyRun> runs;
    std::vector<Posting> big;  // postings of big positions, sorted
    std::uint64_t positions = 0;
};

/// Returns the postings of the first position.
std::span<const Posting> one_position(std::span<const Posting> sorted) {
    std::size_t n = 1;
    while (n < sorted.size() && sorted[n].key == sorted[0].key) ++n;
    return sorted.first(n);
}

EncodedPartition encode_partition(std::vector<Posting> sorted, const codec::SegmentShape& shape) {
    EncodedPartition out;
    for (std::span<const Posting> rest = sorted; !rest.empty();) {
        const std::size_t n = codec::key_run_length(rest, shape);
        out.runs.push_back(codec::encode_key_run(rest.first(n), shape));
        rest = rest.subspan(n);
    }
    // Moves the postings of big positions to the front; the others are encoded and dropped.
    std::size_t kept = 0;
    for (std::size_t begin = 0; begin < sorted.size();) {
        const std::size_t n = one_position(std::span(sorted).subspan(begin)).size();
        ++out.positions;
        if (n >= codec::kBigPosition) {
            std::copy_n(sorted.begin() + static_cast<std::ptrdiff_t>(begin), n,
                        sorted.begin() + static_cast<std::ptrdiff_t>(kept));
            kept += n;
        }
        begin += n;
    }
    sorted.resize(kept);
    if (kept != 0) out.big = std::move(sorted);
    return out;
}

class SegmentRows {
  public:
    SegmentRows(const codec::SegmentShape& shape, GameId first_game, SegmentedWriter& writer)
        : shape_(shape), first_game_(first_game), writer_(writer), builder_(shape) {}

    void add(const EncodedPartition& partition) {
        for (const codec::KeyRun& run : partition.runs) {
            if (!builder_.add(run)) {
                flush(run.first_key);
                builder_.add(run);
            }
        }
        for (std::span<const Posting> rest = partition.big; !rest.empty();) {
            const std::span<const Posting> position = one_position(rest);
            rest = rest.subspan(position.size());
            add_big(position);
        }
    }

    /// `next_key` is the first short key of the next run; kNoKey at the end.
    void flush(std::uint64_t next_key) {
        if (builder_.empty()) return;
        const codec::Block block = builder_.take(next_key);
        put(block.first_key, 0, block.data);
    }

  private:
    void add_big(std::span<const Posting> sorted) {
        const std::uint64_t key = sorted.front().key;
        codec::PositionSummary summary =
            summarise(sorted, first_game_, [this](GameId game) { return writer_.facts(game); });
        unsigned part = 2;
        for (codec::GroupSummary& group : summary.groups) {
            const std::span<const Posting> postings = sorted.first(group.tally.occurrences);
            sorted = sorted.subspan(postings.size());
            for (std::string& chunk : codec::encode_big_postings(postings, shape_)) {
                put_part(key, part++, std::move(chunk));
                ++group.chunks;
            }
        }
        put_part(key, 1, codec::encode_summary(summary));
    }

    void put_part(std::uint64_t key, unsigned part, std::string data) {
        base::seal(data, part_seed(shape_, key, part));
        put(key, part, data);
    }

    void put(std::uint64_t first_key, unsigned part, const std::string& data) {
        writer_.add_block(first_key, part, data);
        if (++blocks_ % kBlocksPerCommit == 0) writer_.commit();
    }

    codec::SegmentShape shape_;
    GameId first_game_;
    SegmentedWriter& writer_;
    codec::BlockBuilder builder_;
    unsigned blocks_ = 0;
};

}  // namespace

SegmentRecord write_segment(PostingSorter& sorter, SegmentKind kind, const GameRange& games,
                            unsigned threads, SegmentedWriter& writer,
                            const std::function<void(double share)>& progress) {
    if (games.last - games.first >= Posting::kMaxGames) {
        throw StoreError(StoreError::kOther, "more games than a segment holds");
    }
    SegmentRecord segment;
    segment.kind = kind;
    segment.first_game = games.first;
    segment.last_game = games.last;
    segment.postings = sorter.close(Posting::game_number(games.first));
    segment.shape = sealed_shape(
        codec::segment_shape(segment.postings, games.last - games.first + 1), kind, games.first);
    segment.id = writer.begin_segment();
    SegmentRows rows(segment.shape, games.first, writer);
    unsigned next = 0;
    unsigned written = 0;
    base::run_ordered(
        threads, threads + 2,
        [&]() -> std::optional<unsigned> {
            return next < PostingSorter::kPartitions ? std::optional(next++) : std::nullopt;
        },
        [&](unsigned, unsigned partition) {
            return encode_partition(sorter.take(partition), segment.shape);
        },
        [&](const EncodedPartition& partition) {
            segment.positions += partition.positions;
            rows.add(partition);
            if (progress) progress(static_cast<double>(++written) / PostingSorter::kPartitions);
        });
    rows.flush(codec::kNoKey);
    return segment;
}

}  // namespace fendex::store
