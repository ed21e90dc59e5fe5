#include "store/sqlite/index/reindex.hpp"

#include <algorithm>
#include <vector>

#include "store/sqlite/file/memory_shares.hpp"
#include "store/sqlite/index/stored_postings.hpp"
#include "store/sqlite/segments/segment_writer.hpp"

namespace fendex::store {

namespace {

/// The share of the time of indexing that replaying takes.
constexpr double kShareOfReplaying = 0.4;

/// Returns the games whose variations must be indexed, in as few ranges as possible.
std::vector<GameRange> variation_ranges(SegmentedWriter& writer, const ReindexOptions& options) {
    std::vector<GameRange> indexed;
    if (options.variations) {
        indexed = *options.variations;
    } else {
        for (const auto& old : writer.segments(SegmentKind::kVariations)) {
            indexed.push_back({old.first_game, old.last_game});
        }
    }
    std::vector<GameRange> ranges;
    for (GameRange& rest : indexed) {
        const bool follows = !ranges.empty() && ranges.back().last + 1 == rest.first &&
                             rest.last - ranges.back().first < options.games_per_segment;
        if (follows) {
            ranges.back().last = rest.last;
            continue;
        }
        while (const auto games = take_front(rest, options.games_per_segment)) {
            ranges.push_back(*games);
        }
    }
    return ranges;
}

void reindex_variations(const std::string& database, SegmentedWriter& writer,
                        const ReindexOptions& options) {
    constexpr auto kKind = SegmentKind::kVariations;
    const std::vector<GameRange> ranges = variation_ranges(writer, options);
    std::vector<SegmentRecord> segments;
    for (const GameRange& games : ranges) {
        PostingSorter sorter(sorter_memory(options.memory_bytes), options.threads,
                             temporary_directory(database));
        collect_postings(database, kKind, games, options.threads, sorter);
        segments.push_back(write_segment(sorter, kKind, games, options.threads, writer));
    }
    writer.put_segments(segments);
}

}  // namespace

void reindex(const std::string& database, SegmentedWriter& writer, const ReindexOptions& options) {
    const GameId end = writer.next_game();
    const auto report = [&](double games) {
        if (options.progress) options.progress(games / static_cast<double>(end));
    };
    std::vector<SegmentRecord> segments;
    for (GameId first = 1; first < end; first = segments.back().last_game + 1) {
        const GameRange games{first, std::min(first + options.games_per_segment, end) - 1};
        PostingSorter sorter(sorter_memory(options.memory_bytes), options.threads,
                             temporary_directory(database));
        const auto before = static_cast<double>(first);
        const auto count = static_cast<double>(games.last - first);
        collect_postings(database, SegmentKind::kMainLine, games, options.threads, sorter,
                         [&](GameId done) {
                             report(before + static_cast<double>(done - first) * kShareOfReplaying);
                         });
        segments.push_back(write_segment(
            sorter, SegmentKind::kMainLine, games, options.threads, writer, [&](double written) {
                report(before + count * (kShareOfReplaying + written * (1 - kShareOfReplaying)));
            }));
    }
    writer.put_segments(segments);
    reindex_variations(database, writer, options);
}

}  // namespace fendex::store
