#include "store/sqlite/segments/segment_writer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "codec/fine_sums.hpp"
#include "store/sqlite/segments/fine_sum_table.hpp"
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
    std::string fine;                 // the row of its fine sums; empty: it has none
};

/// Rows of a big position: the summary, then the chunks.
constexpr unsigned kSummaryPart = 1;
constexpr unsigned kFirstChunkPart = 2;
/// The games of a position with fewer postings are quickly looked at one by one.
constexpr std::size_t kFinePostings = 2048;
/// Fine sums pay if there are at least so many postings for each of them: then they add some one
/// percent to the index.
constexpr std::size_t kPostingsPerFineSum = 16;

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
    /// Positions with `fine_from` postings or more get fine sums, if these pay.
    PartitionEncoder(const codec::SegmentShape& shape, const SegmentFacts& facts,
                     std::size_t fine_from)
        : shape_(shape), facts_(facts), fine_from_(fine_from), runs_(shape) {}

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
        BigPosition out{sorted.front().key, {}, {}, {}};
        SummedPosition summed = sum_up(sorted);
        codec::PositionSummary& summary = summed.summary;
        for (codec::GroupSummary& each : summary.groups) {
            const std::span<const Posting> group = first_with_same(sorted, &Posting::next);
            sorted = sorted.subspan(group.size());
            std::vector<std::string> chunks = codec::encode_big_postings(group, shape_);
            each.chunks = static_cast<std::uint32_t>(chunks.size());
            std::ranges::move(chunks, std::back_inserter(out.chunks));
        }
        out.summary = codec::encode_summary(summary);
        if (summed.fine) {
            out.fine = fine_row(codec::encode_fine_sums(*summed.fine), mark_of_summary(out.summary),
                                shape_, out.key);
        }
        base::seal(out.summary, part_seed(shape_, out.key, kSummaryPart));
        unsigned part = kFirstChunkPart;
        for (std::string& chunk : out.chunks) {
            base::seal(chunk, part_seed(shape_, out.key, part++));
        }
        return out;
    }

    SummedPosition sum_up(std::span<const Posting> sorted) {
        std::optional<FineRequest> fine;
        if (sorted.size() >= fine_from_) {
            fine = {facts_.period(), sorted.size() / kPostingsPerFineSum};
        }
        return summarizer_.summarise(
            sorted, [this](std::uint32_t game) { return facts_[game]; }, fine);
    }

    codec::SegmentShape shape_;
    const SegmentFacts& facts_;
    std::size_t fine_from_;
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
        if (!position.fine.empty()) writer_.add_fine_sums(position.key, position.fine);
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
    // Statistics do not read what is in variations.
    const std::size_t fine_from = kind == SegmentKind::kMainLine ? kFinePostings : SIZE_MAX;
    std::vector<PartitionEncoder> encoders;  // of the threads
    for (unsigned i = 0; i < threads; ++i) {
        encoders.emplace_back(segment.shape, facts, fine_from);
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
