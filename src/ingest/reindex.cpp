#include "ingest/reindex.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "store/sqlite/reader.hpp"
#include "store/sqlite/segment_writer.hpp"
#include "store/stored_walk.hpp"
#include "store/variation_walk.hpp"

namespace fendex::ingest {

namespace {

/// What a thread replays at once: some 300,000 plies.
constexpr std::uint64_t kGamesAtOnce = 4096;
/// Of the time that indexing a game takes, replaying it.
constexpr double kShareOfReplaying = 0.4;
/// A reader for each thread, which reads every page once.
constexpr std::size_t kCacheBytes = std::size_t{4} << 20;

/// Feeds the nodes of a game's variations. What is played next is not asked of them.
class VariationFeeder final : public store::VariationVisitor {
  public:
    explicit VariationFeeder(store::PostingSorter::Feeder& postings) : postings_(postings) {}

    void begin(store::GameId game) { game_ = codec::Posting::game_number(game); }
    void node(const store::VariationNode& node) override {
        postings_.add({node.position.key(), codec::kGameEndsHere, game_, node.number});
        ++count_;
    }
    std::uint64_t count() const { return count_; }

  private:
    store::PostingSorter::Feeder& postings_;
    std::uint32_t game_ = 0;
    std::uint64_t count_ = 0;
};

class Replayer {
  public:
    Replayer(const std::string& database, store::PostingSorter::Feeder& postings)
        : reader_(store::open_sqlite_reader(database, nullptr, kCacheBytes)), postings_(postings) {}

    std::uint64_t replay(store::SegmentKind kind, const store::GameRange& games) {
        return kind == store::SegmentKind::kMainLine ? replay_moves(games)
                                                     : feed_variations(*reader_, games, postings_);
    }

  private:
    std::uint64_t replay_moves(const store::GameRange& games) {
        std::uint64_t count = 0;
        reader_->for_each_moves(games.first, [&](store::GameId id,
                                                 const store::StoredMoves& moves) {
            if (id > games.last) return false;
            const std::uint32_t number = codec::Posting::game_number(id);
            store::with_walk(id, moves, [&](auto& walk) {
                for (;; walk.advance()) {
                    postings_.add({walk.position().key(), walk.next_move(), number, walk.ply()});
                    ++count;
                    if (walk.at_end()) break;
                }
            });
            return true;
        });
        return count;
    }

    std::unique_ptr<store::StoreReader> reader_;
    store::PostingSorter::Feeder& postings_;
};

}  // namespace

std::uint64_t feed_variations(store::StoreReader& reader, const store::GameRange& games,
                              store::PostingSorter::Feeder& postings) {
    VariationFeeder feeder(postings);
    store::StoredMoves moves;
    reader.for_each_annotation(games.first, [&](store::GameId id, std::string_view annotation) {
        if (id > games.last) return false;
        if (!reader.moves(id, moves)) store::throw_damaged_annotation(id);
        feeder.begin(id);
        store::walk_variations(id, moves, annotation, false, feeder);
        return true;
    });
    return feeder.count();
}

std::string temporary_directory(const std::string& database) {
    return std::filesystem::weakly_canonical(database).parent_path().string();
}

std::uint64_t collect_postings(const std::string& database, store::SegmentKind kind,
                               const store::GameRange& games, unsigned threads,
                               store::PostingSorter& sorter,
                               const std::function<void(store::GameId done)>& progress) {
    std::vector<std::optional<Replayer>> replayers(threads);
    store::GameRange rest = games;
    std::uint64_t postings = 0;
    struct Done {
        store::GameId last = 0;
        std::uint64_t postings = 0;
    };
    base::run_ordered(
        threads, threads + 2, [&] { return store::take_front(rest, kGamesAtOnce); },
        [&](unsigned thread, const store::GameRange& range) {
            if (!replayers[thread]) replayers[thread].emplace(database, sorter.feeder(thread));
            return Done{range.last, replayers[thread]->replay(kind, range)};
        },
        [&](const Done& done) {
            postings += done.postings;
            if (progress) progress(done.last);
        });
    return postings;
}

namespace {

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
