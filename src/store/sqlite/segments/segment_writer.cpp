#include "store/sqlite/segments/segment_writer.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "store/sqlite/segments/position_summary.hpp"
#include "store/sqlite/segments/segment_facts.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

using codec::Posting;

namespace {

/// Blocks between two commits. This limits the write-ahead log to some 64 MiB.
constexpr unsigned kBlocksPerCommit = 4096;
/// Postings of a small partition. Several partitions of this size are allowed in memory at any
/// time.
constexpr std::size_t kSmallPartition = 4096;
/// So many postings are always allowed in memory; encoded, they take some 30 MB.
constexpr std::size_t kPostingsAtOnce = std::size_t{1} << 22;
/// Number of pages that are filled with rows of big positions at the same time.
constexpr std::size_t kOpenPages = 4;
/// The bytes of a page that rows can use, and the bytes of a row besides its blob.
constexpr std::size_t kPageBytes = 16'384 - 8;
constexpr std::size_t kRowBytes = 31;

/// The rows of a big position, with their seals.
struct BigPosition {
    std::uint64_t key = 0;
    std::string summary;
    std::vector<std::string> chunks;  // of its groups, one group after the other
};

/// Rows of a big position: the summary, then the chunks.
constexpr unsigned kSummaryPart = 1;
constexpr unsigned kFirstChunkPart = 2;

struct EncodedPartition {
    std::vector<codec::KeyRun> runs;
    std::vector<BigPosition> big_positions;
    std::uint64_t positions = 0;
};

/// Returns the first postings, which have this in common.
template <typename Value>
std::span<const Posting> first_with_same(std::span<const Posting> sorted, Value value) {
    const auto other = std::ranges::find_if(sorted, [&](const Posting& each) {
        return std::invoke(value, each) != std::invoke(value, sorted.front());
    });
    return {sorted.begin(), other};
}

/// Encodes partitions, one after the other. Each thread has its own.
class PartitionEncoder {
  public:
    PartitionEncoder(const codec::SegmentShape& shape, GameId first_game, const SegmentFacts& facts)
        : shape_(shape), first_game_(first_game), facts_(facts), runs_(shape) {}

    EncodedPartition encode(std::span<const Posting> sorted) {
        EncodedPartition out;
        big_.clear();
        while (!sorted.empty()) {
            out.runs.push_back(runs_.encode(sorted, big_));
            out.positions += runs_.positions();
            sorted = sorted.subspan(runs_.postings());
        }
        for (std::span<const Posting> rest = big_; !rest.empty();) {
            const std::span<const Posting> position = first_with_same(rest, &Posting::key);
            rest = rest.subspan(position.size());
            out.big_positions.push_back(encode_big(position));
        }
        return out;
    }
    /// The postings of the next partition.
    std::vector<Posting> postings;

  private:
    BigPosition encode_big(std::span<const Posting> sorted) {
        BigPosition out{sorted.front().key, {}, {}};
        codec::PositionSummary summary = summarizer_.summarise(
            sorted, first_game_,
            [this](GameId game) { return facts_[static_cast<std::uint32_t>(game - first_game_)]; });
        for (codec::GroupSummary& each : summary.groups) {
            const std::span<const Posting> group = first_with_same(sorted, &Posting::next);
            sorted = sorted.subspan(group.size());
            std::vector<std::string> chunks = codec::encode_big_postings(group, shape_);
            each.chunks = static_cast<std::uint32_t>(chunks.size());
            std::ranges::move(chunks, std::back_inserter(out.chunks));
        }
        out.summary = codec::encode_summary(summary);
        base::seal(out.summary, part_seed(shape_, out.key, kSummaryPart));
        unsigned part = kFirstChunkPart;
        for (std::string& chunk : out.chunks) {
            base::seal(chunk, part_seed(shape_, out.key, part++));
        }
        return out;
    }

    codec::SegmentShape shape_;
    GameId first_game_;
    const SegmentFacts& facts_;
    codec::KeyRunEncoder runs_;
    PositionSummarizer summarizer_;
    std::vector<Posting> big_;  // of big positions, sorted
};

/// Writes the rows of a segment. A block fills a page of SQLite. Rows of big positions between two
/// blocks would leave their page half empty, so they are held back until they fill a page, too.
class SegmentRows {
  public:
    SegmentRows(const codec::SegmentShape& shape, SegmentedWriter& writer)
        : shape_(shape), writer_(writer), builder_(shape) {}

    void add(EncodedPartition& partition) {
        for (codec::KeyRun& run : partition.runs) {
            if (builder_.add(run)) continue;
            if (const auto front = codec::cut_front(run, builder_.room(), shape_)) {
                static_cast<void>(builder_.add(*front));  // it has been cut to fit
            }
            flush(run.first_key);
            static_cast<void>(builder_.add(run));  // fits an empty builder
        }
        for (BigPosition& each : partition.big_positions) add_big(each);
    }

    void finish() {
        flush(codec::kNoKey);
        for (Page& page : pages_) write(page);
    }

  private:
    struct Row {
        std::uint64_t first_key;
        unsigned part;
        std::string data;
    };
    /// Rows of big positions that will share a page.
    struct Page {
        std::vector<Row> rows;
        std::size_t bytes = 0;
    };

    /// Writes the current block. `next_key` is the first short key of the next run; kNoKey at the
    /// end.
    void flush(std::uint64_t next_key) {
        if (builder_.empty()) return;
        const codec::Block block = builder_.take(next_key);
        put(block.first_key, 0, block.data);
    }

    void add_big(BigPosition& position) {
        unsigned part = kFirstChunkPart;
        for (std::string& chunk : position.chunks) put_part(position.key, part++, std::move(chunk));
        put_part(position.key, kSummaryPart, std::move(position.summary));
    }

    void put_part(std::uint64_t key, unsigned part, std::string data) {
        const std::size_t bytes = data.size() + kRowBytes;
        const auto fits = [&](const Page& page) { return page.bytes + bytes <= kPageBytes; };
        auto* page = std::ranges::find_if(pages_, fits);
        if (page == pages_.end()) {
            page = std::ranges::max_element(
                pages_, [](const Page& a, const Page& b) { return a.bytes < b.bytes; });
            if (bytes >= page->bytes) return put(key, part, data);
            write(*page);
        }
        page->rows.push_back({key, part, std::move(data)});
        page->bytes += bytes;
    }

    void write(Page& page) {
        for (const Row& row : page.rows) put(row.first_key, row.part, row.data);
        page = {};
    }

    void put(std::uint64_t first_key, unsigned part, const std::string& data) {
        writer_.add_block(first_key, part, data);
        if (++blocks_ % kBlocksPerCommit == 0) writer_.commit();
    }

    codec::SegmentShape shape_;
    SegmentedWriter& writer_;
    codec::BlockBuilder builder_;
    std::array<Page, kOpenPages> pages_;
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
    SegmentRows rows(segment.shape, writer);
    const SegmentFacts facts(games, writer);
    std::vector<PartitionEncoder> encoders;  // of the threads
    for (unsigned i = 0; i < threads; ++i) {
        encoders.emplace_back(segment.shape, games.first, facts);
    }
    unsigned next = 0;
    unsigned written = 0;
    // Partitions have about the same size, unless many games have positions in common.
    const std::size_t usual_size =
        std::max(kSmallPartition,
                 2 * static_cast<std::size_t>(segment.postings / PostingSorter::kPartitions));
    // Enough that the threads go on while the writer commits, unless partitions are large.
    const std::size_t at_once = threads + std::size_t{24};
    base::run_ordered(
        threads,
        base::Window{at_once, std::max((threads + 1) * usual_size, kPostingsAtOnce),
                     [&](unsigned partition) { return sorter.partition_size(partition); }},
        [&]() -> std::optional<unsigned> {
            return next < PostingSorter::kPartitions ? std::optional(next++) : std::nullopt;
        },
        [&](unsigned thread, unsigned partition) {
            PartitionEncoder& encoder = encoders[thread];
            sorter.take(partition, encoder.postings);
            EncodedPartition encoded = encoder.encode(encoder.postings);
            if (encoder.postings.size() > usual_size) encoder.postings = std::vector<Posting>();
            return encoded;
        },
        [&](EncodedPartition partition) {
            segment.positions += partition.positions;
            rows.add(partition);
            if (progress) progress(static_cast<double>(++written) / PostingSorter::kPartitions);
        });
    rows.finish();
    return segment;
}

}  // namespace fendex::store
