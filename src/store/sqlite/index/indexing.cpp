#include "store/sqlite/index/indexing.hpp"

#include <algorithm>
#include <utility>

#include "store/sqlite/file/memory_shares.hpp"
#include "store/sqlite/index/stored_postings.hpp"
#include "store/sqlite/segments/segment_copy.hpp"
#include "store/sqlite/segments/segment_writer.hpp"

namespace fendex::store {

namespace {

/// A segment at the end of the index is absorbed if it has at most this many times the postings of
/// the new segment. So each segment is larger than the next by more than this factor, and the
/// number of segments grows with the logarithm of the appended postings.
constexpr std::uint64_t kAbsorbFactor = 4;
/// An import writes a segment only when it has at least one posting for this many in segments.
constexpr std::uint64_t kShareOfIndexed = 4;
/// A segment of another database is copied beside the small ones before it if it has at least this
/// share of IndexOptions::piece_postings. So there are at most as many times more segments.
constexpr std::uint64_t kShareCopied = 8;
/// A segment is due at this number of games, so that it has room for the batches in progress.
constexpr std::uint64_t kGamesDue = codec::Posting::kMaxGames / 2;
/// Number of stored games to collect before checking again whether a segment is due.
constexpr std::uint64_t kGamesCollectedAtOnce = 1 << 17;

}  // namespace

Indexing::Indexing(std::string database, const IndexOptions& options, SegmentedWriter& writer)
    : database_(std::move(database)),
      options_(options),
      writer_(writer),
      sorter_(sorter_memory(options.memory_bytes), options.threads, temporary_directory(database_)),
      large_partition_(partition_memory(options.memory_bytes) / sizeof(codec::Posting)) {
    start();
}

void Indexing::start() {
    sorter_.clear();
    first_game_ = writer_.unindexed().first;
    games_ = postings_ = 0;
    added_.clear();
    copied_.reset();
    std::uint64_t indexed = 0;
    for (const auto& segment : writer_.segments(SegmentKind::kMainLine)) {
        indexed += segment.postings;
    }
    due_at_ = std::max(options_.piece_postings, indexed / kShareOfIndexed);
    due_ = false;
}

void Indexing::take_leftovers() {
    const UnindexedGames left = writer_.unindexed();
    const GameId end = left.first + left.games;
    for (GameId first = left.first; first < end; first += kGamesCollectedAtOnce) {
        const GameRange games{first, std::min(first + kGamesCollectedAtOnce, end) - 1};
        count(games.last - first + 1, collect(SegmentKind::kMainLine, games, sorter_));
        if (due_) write_segment_of_added();
    }
}

std::uint64_t Indexing::collect(SegmentKind kind, const GameRange& games, PostingSorter& sorter) {
    return collect_postings(database_, kind, games, options_.threads, sorter, [this](GameId) {
        if (options_.progress) options_.progress(0);
    });
}

void Indexing::add(GameId first, NewGames games) {
    if (games.copied) return add_copied(first, games.games.size(), *games.copied);
    if (copied_) return;
    // A quarter more than due, for the batches in progress when the segment became due.
    if (sorter_.largest_partition() > large_partition_ + large_partition_ / 4) return;
    count(games.games.size(), games.count_positions());
    const std::lock_guard lock(added_mutex_);
    added_.push_back({first, std::move(games.games), std::move(games.positions)});
}

void Indexing::add_copied(GameId first, std::uint64_t games, const GamesElsewhere& from) {
    const GameId last = first + games - 1;
    if (!copied_ && games_ == 0) {
        copied_ = {{first, last}, from};
        return;
    }
    const bool follows = copied_ && copied_->games.last + 1 == first &&
                         copied_->from.reader == from.reader &&
                         copied_->from.first + (first - copied_->games.first) == from.first;
    if (follows) copied_->games.last = last;
}

std::optional<Indexing::Added> Indexing::take_added() {
    const std::lock_guard lock(added_mutex_);
    if (added_.empty()) return std::nullopt;
    std::optional<Added> out(std::move(added_.front()));
    added_.pop_front();
    return out;
}

void Indexing::help(unsigned thread) {
    PostingSorter::Feeder& feeder = sorter_.feeder(thread);
    while (const std::optional<Added> added = take_added()) {
        GameId id = added->first;
        for (const NewGame& game : added->games) {
            const std::uint32_t number = codec::Posting::game_number(id++);
            std::uint32_t ply = 0;
            for (const NewPosition& each : game.positions.of(added->positions)) {
                feeder.add({each.key, each.next, number, ply++});
            }
        }
    }
}

void Indexing::count(std::uint64_t games, std::uint64_t postings) {
    games_ += games;
    postings_ += postings;
    if (games_ > codec::Posting::kMaxGames) {
        throw StoreError(StoreError::kOther,
                         database_ + ": more games in one import than a segment holds");
    }
    // As many games as postings of one position, so that their facts take no more memory.
    due_ = postings_ >= due_at_ || games_ >= std::min<std::uint64_t>(kGamesDue, large_partition_) ||
           sorter_.largest_partition() >= large_partition_;
}

/// Returns the first game of the small segments directly before `games`, which a segment of these
/// games absorbs, or of `games` if there are none. Adds the number of their postings to `postings`.
GameId Indexing::first_absorbed(SegmentKind kind, const GameRange& games, std::uint64_t& postings) {
    const auto segments = writer_.segments(kind);
    GameId first = games.first;
    for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
        if (segment->last_game + 1 != first || segment->postings > kAbsorbFactor * postings ||
            segment->postings >= options_.piece_postings ||
            // All these games may have a position in common, whose postings must fit into memory.
            games.last - segment->first_game >= large_partition_ ||
            games.last - segment->first_game >= codec::Posting::kMaxGames) {
            break;
        }
        first = segment->first_game;
        postings += segment->postings;
    }
    return first;
}

/// Absorbs small segments: feeds their postings to the sorter and adds their number to `postings`.
/// Returns the first game of the segment that will be written.
GameId Indexing::absorb(SegmentKind kind, const GameRange& games, std::uint64_t& postings,
                        PostingSorter& sorter) {
    const GameId first = first_absorbed(kind, games, postings);
    if (first < games.first) {
        collect(kind, {first, games.first - 1}, sorter);
    }
    return first;
}

void Indexing::write() {
    if (copied_) {
        copy_segment_of(*std::exchange(copied_, std::nullopt));
    } else {
        write_segment_of_added();
    }
    take_leftovers();
    if (has_waiting()) write_segment_of_added();
}

/// Copies the segment of these games, if they are all its games and it is large, or has no small
/// segment before it to absorb.
void Indexing::copy_segment_of(const Copied& copied) {
    SegmentReader& from = *copied.from.reader->copyable_segments();
    const SegmentRecord* const segment = from.segment_of(copied.from.first);
    const GameRange& games = copied.games;
    if (segment == nullptr || segment->first_game != copied.from.first ||
        segment->last_game - segment->first_game != games.last - games.first ||
        writer_.unindexed().first != games.first) {
        return;
    }
    std::uint64_t postings = segment->postings;
    if (postings < options_.piece_postings / kShareCopied &&
        first_absorbed(segment->kind, games, postings) != games.first) {
        return;
    }
    if (const auto copy = copy_segment(from, *segment, games.first, writer_)) {
        writer_.put_segments({&*copy, 1});
        writer_.commit();
        start();
    }
}

void Indexing::write_segment_of_added() {
    help(0);
    const GameRange counted{first_game_, first_game_ + games_ - 1};
    const GameRange games{absorb(SegmentKind::kMainLine, counted, postings_, sorter_),
                          counted.last};
    const SegmentRecord segment = write_segment(sorter_, SegmentKind::kMainLine, games,
                                                options_.threads, writer_, options_.progress);
    writer_.put_segments({&segment, 1});
    writer_.commit();
    start();
}

void Indexing::write_variations() {
    const GameId end = writer_.next_game();
    for (GameId first = writer_.variations_from(); first != 0;) {
        first = write_variations(first, end);
        writer_.set_variations_from(first);
        writer_.commit();
    }
}

/// Writes a segment of the variations of games from `first` on. Returns the first game before `end`
/// that the segment lacks; 0 if it has them all.
GameId Indexing::write_variations(GameId first, GameId end) {
    constexpr auto kKind = SegmentKind::kVariations;
    std::uint64_t postings = 0;
    GameId next = first;
    while (next < end && next - first < codec::Posting::kMaxGames &&
           next - first < large_partition_ && sorter_.largest_partition() < large_partition_) {
        const GameRange games{next, std::min(next + kGamesCollectedAtOnce, end) - 1};
        postings += collect(kKind, games, sorter_);
        next = games.last + 1;
    }
    if (first < next) {
        const GameRange new_games{first, next - 1};
        const GameRange games{absorb(kKind, new_games, postings, sorter_), new_games.last};
        const SegmentRecord segment =
            write_segment(sorter_, kKind, games, options_.threads, writer_, options_.progress);
        writer_.put_segments({&segment, 1});
        sorter_.clear();
    }
    return next < end ? next : 0;
}

}  // namespace fendex::store
