#include "ingest/reindex.hpp"

#include <algorithm>
#include <vector>

#include "ingest/stored_postings.hpp"
#include "store/segment_writer.hpp"

namespace fendex::ingest {

namespace {

/// Of the time that indexing a game takes, replaying it.
constexpr double kShareOfReplaying = 0.4;

/// Games whose variations are to be indexed, in as few ranges as may be.
std::vector<store::GameRange> variation_ranges(store::StoreWriter& writer,
                                               const ReindexOptions& options) {
    std::vector<store::GameRange> indexed;
    if (options.variations) {
        indexed = *options.variations;
    } else {
        for (const auto& old : writer.segments(store::SegmentKind::kVariations)) {
            indexed.push_back({old.first_game, old.last_game});
        }
    }
    std::vector<store::GameRange> ranges;
    for (store::GameRange& rest : indexed) {
        const bool follows = !ranges.empty() && ranges.back().last + 1 == rest.first &&
                             rest.last - ranges.back().first < options.games_per_segment;
        if (follows) {
            ranges.back().last = rest.last;
            continue;
        }
        while (const auto games = store::take_front(rest, options.games_per_segment)) {
            ranges.push_back(*games);
        }
    }
    return ranges;
}

void reindex_variations(const std::string& database, store::StoreWriter& writer,
                        const ReindexOptions& options) {
    constexpr auto kKind = store::SegmentKind::kVariations;
    const std::vector<store::GameRange> ranges = variation_ranges(writer, options);
    std::vector<store::SegmentRecord> segments;
    for (const store::GameRange& games : ranges) {
        store::PostingSorter sorter(sorter_memory(options.memory_bytes), options.threads,
                                    temporary_directory(database));
        collect_postings(database, kKind, games, options.threads, sorter);
        segments.push_back(store::write_segment(sorter, kKind, games, options.threads, writer));
    }
    writer.put_segments(segments);
}

}  // namespace

void reindex(const std::string& database, store::StoreWriter& writer,
             const ReindexOptions& options) {
    const store::GameId end = writer.next_game();
    const auto report = [&](double games) {
        if (options.progress) options.progress(games / static_cast<double>(end));
    };
    std::vector<store::SegmentRecord> segments;
    for (store::GameId first = 1; first < end; first = segments.back().last_game + 1) {
        const store::GameRange games{first, std::min(first + options.games_per_segment, end) - 1};
        store::PostingSorter sorter(sorter_memory(options.memory_bytes), options.threads,
                                    temporary_directory(database));
        const auto before = static_cast<double>(first);
        const auto count = static_cast<double>(games.last - first);
        collect_postings(database, store::SegmentKind::kMainLine, games, options.threads, sorter,
                         [&](store::GameId done) {
                             report(before + static_cast<double>(done - first) * kShareOfReplaying);
                         });
        segments.push_back(store::write_segment(
            sorter, store::SegmentKind::kMainLine, games, options.threads, writer,
            [&](double written) {
                report(before + count * (kShareOfReplaying + written * (1 - kShareOfReplaying)));
            }));
    }
    writer.put_segments(segments);
    reindex_variations(database, writer, options);
}

}  // namespace fendex::ingest
