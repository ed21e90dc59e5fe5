#include "ingest/indexing.hpp"

#include <algorithm>

#include "store/sqlite/segment_writer.hpp"
#include "store/sqlite/stored_postings.hpp"

namespace fendex::ingest {

namespace {

/// A segment at the end of the index is absorbed if it has up to so many times the postings that
/// are to be written. So each segment is larger than the next by more than this factor, and their
/// number grows with the logarithm of the appended postings.
constexpr std::uint64_t kAbsorbFactor = 4;
/// An import writes a segment only when it has at least one posting in so many of those in
/// segments.
constexpr std::uint64_t kShareOfIndexed = 4;
/// A segment is due at this number of games, so that batches in progress still have room in it.
constexpr std::uint64_t kGamesDue = codec::Posting::kMaxGames / 2;
/// Games of a killed import that are indexed before it is checked again whether a segment is due.
constexpr std::uint64_t kLeftoversAtOnce = 1 << 17;

}  // namespace

Indexing::Indexing(std::string database, unsigned threads, std::size_t memory_bytes,
                   std::uint64_t segment_postings, store::SegmentedWriter& writer,
                   std::function<void(double)> progress)
    : database_(std::move(database)),
      threads_(threads),
      memory_bytes_(memory_bytes),
      segment_postings_(segment_postings),
      writer_(writer),
      progress_(std::move(progress)) {
    start();
}

void Indexing::start() {
    sorter_.emplace(store::sorter_memory(memory_bytes_), threads_,
                    store::temporary_directory(database_));
    first_game_ = writer_.unindexed().first;
    games_ = postings_ = 0;
    added_.clear();
    std::uint64_t indexed = 0;
    for (const auto& segment : writer_.segments(store::SegmentKind::kMainLine)) {
        indexed += segment.postings;
    }
    due_at_ = std::max(segment_postings_, indexed / kShareOfIndexed);
    due_ = false;
}

void Indexing::take_leftovers() {
    const store::UnindexedGames left = writer_.unindexed();
    const store::GameId end = left.first + left.games;
    for (store::GameId first = left.first; first < end; first += kLeftoversAtOnce) {
        const store::GameRange games{first, std::min(first + kLeftoversAtOnce, end) - 1};
        count(games.last - first + 1, collect(store::SegmentKind::kMainLine, games, *sorter_));
        if (due_) write_segment();
    }
}

std::uint64_t Indexing::collect(store::SegmentKind kind, const store::GameRange& games,
                                store::PostingSorter& sorter) {
    return store::collect_postings(database_, kind, games, threads_, sorter, [this](store::GameId) {
        if (progress_) progress_(0);
    });
}

void Indexing::add(store::GameId first, store::NewGames games) {
    count(games.games.size(), games.count_positions());
    const std::lock_guard lock(added_mutex_);
    added_.push_back({first, std::move(games.games), std::move(games.positions)});
}

std::optional<Indexing::Added> Indexing::take_added() {
    const std::lock_guard lock(added_mutex_);
    if (added_.empty()) return std::nullopt;
    std::optional<Added> out(std::move(added_.front()));
    added_.pop_front();
    return out;
}

void Indexing::sort_added(unsigned thread) {
    store::PostingSorter::Feeder& feeder = sorter_->feeder(thread);
    while (const std::optional<Added> added = take_added()) {
        store::GameId id = added->first;
        for (const store::NewGame& game : added->games) {
            const std::uint32_t number = codec::Posting::game_number(id++);
            std::uint32_t ply = 0;
            for (const store::NewPosition& each : game.positions.of(added->positions)) {
                feeder.add({each.key, each.next, number, ply++});
            }
        }
    }
}

void Indexing::count(std::uint64_t games, std::uint64_t postings) {
    games_ += games;
    postings_ += postings;
    if (games_ > codec::Posting::kMaxGames) {
        throw store::StoreError(store::StoreError::kOther,
                                database_ + ": more games in one import than a segment holds");
    }
    due_ = postings_ >= due_at_ || games_ >= kGamesDue;
}

/// Feeds the postings of small segments right before the games whose postings have been counted.
/// Returns the first game.
store::GameId Indexing::absorb(store::SegmentKind kind, const store::GameRange& games,
                               std::uint64_t& postings, store::PostingSorter& sorter) {
    const auto segments = writer_.segments(kind);
    store::GameId first = games.first;
    for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
        if (segment->last_game + 1 != first || segment->postings > kAbsorbFactor * postings ||
            segment->postings >= segment_postings_ ||
            games.last - segment->first_game >= codec::Posting::kMaxGames) {
            break;
        }
        first = segment->first_game;
        postings += segment->postings;
    }
    if (first < games.first) {
        collect(kind, {first, games.first - 1}, sorter);
    }
    return first;
}

void Indexing::write_segment() {
    sort_added(0);
    const store::GameRange counted{first_game_, first_game_ + games_ - 1};
    const store::GameRange games{
        absorb(store::SegmentKind::kMainLine, counted, postings_, *sorter_), counted.last};
    const store::SegmentRecord segment = store::write_segment(
        *sorter_, store::SegmentKind::kMainLine, games, threads_, writer_, progress_);
    writer_.put_segments({&segment, 1});
    writer_.commit();
    start();
}

void Indexing::write_variations() {
    const store::GameId first = writer_.variations_from();
    const store::GameId end = writer_.next_game();
    if (first == 0) return;
    // The main line's sorter is empty now: its memory is free.
    for (store::GameId from = first; from < end; from += codec::Posting::kMaxGames) {
        const store::GameRange new_games{from, std::min(from + codec::Posting::kMaxGames, end) - 1};
        store::PostingSorter sorter(store::sorter_memory(memory_bytes_), threads_,
                                    store::temporary_directory(database_));
        constexpr auto kKind = store::SegmentKind::kVariations;
        std::uint64_t postings = collect(kKind, new_games, sorter);
        const store::GameRange games{absorb(kKind, new_games, postings, sorter), new_games.last};
        const store::SegmentRecord segment =
            store::write_segment(sorter, kKind, games, threads_, writer_, progress_);
        writer_.put_segments({&segment, 1});
    }
    writer_.set_variations_from(0);
    writer_.commit();
}

}  // namespace fendex::ingest
