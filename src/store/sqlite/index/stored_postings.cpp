#include "store/sqlite/index/stored_postings.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "replay/stored_walk.hpp"
#include "replay/variation_walk.hpp"
#include "store/sqlite/reader/reader.hpp"

namespace fendex::store {

namespace {

/// Games that a thread replays as one batch: some 300,000 plies.
constexpr std::uint64_t kGamesOfBatch = 4096;
/// The page cache of a thread's reader. It is small because each page is read only once.
constexpr std::size_t kCacheBytes = std::size_t{4} << 20;

/// Feeds the positions of a game's variations. Their postings have no next move.
class VariationFeeder final : public replay::VariationVisitor {
  public:
    explicit VariationFeeder(PostingSorter::Feeder& postings) : postings_(postings) {}

    void begin(GameId game) { game_ = codec::Posting::game_number(game); }
    void node(const replay::VariationNode& node) override {
        postings_.add({node.position.key(), codec::kGameEndsHere, game_, node.number});
        ++count_;
    }
    std::uint64_t count() const { return count_; }

  private:
    PostingSorter::Feeder& postings_;
    std::uint32_t game_ = 0;
    std::uint64_t count_ = 0;
};

class Replayer {
  public:
    Replayer(const std::string& database, PostingSorter::Feeder& postings)
        : reader_(open_sqlite_reader(database, nullptr, {.reader_bytes = kCacheBytes})),
          postings_(postings) {}

    std::uint64_t replay(SegmentKind kind, const GameRange& games) {
        return kind == SegmentKind::kMainLine ? replay_moves(games)
                                              : feed_variations(*reader_, games, postings_);
    }

  private:
    std::uint64_t replay_moves(const GameRange& games) {
        std::uint64_t count = 0;
        reader_->for_each_moves(games.first, [&](GameId id, const StoredMoves& moves) {
            if (id > games.last) return false;
            const std::uint32_t number = codec::Posting::game_number(id);
            replay::for_each_position(id, moves, [&](const auto& walk) {
                postings_.add({walk.position().key(), walk.next_move(), number, walk.ply()});
                ++count;
            });
            return true;
        });
        return count;
    }

    std::unique_ptr<StoreReader> reader_;
    PostingSorter::Feeder& postings_;
};

}  // namespace

std::uint64_t feed_variations(StoreReader& reader, const GameRange& games,
                              PostingSorter::Feeder& postings) {
    VariationFeeder feeder(postings);
    StoredMoves moves;
    reader.for_each_annotation(games.first, [&](GameId id, std::string_view annotation) {
        if (id > games.last) return false;
        if (!reader.moves(id, moves)) replay::throw_damaged_annotation(id);
        feeder.begin(id);
        replay::walk_variations(id, moves, annotation, false, feeder);
        return true;
    });
    return feeder.count();
}

std::string temporary_directory(const std::string& database) {
    return std::filesystem::weakly_canonical(database).parent_path().string();
}

std::uint64_t collect_postings(const std::string& database, SegmentKind kind,
                               const GameRange& games, unsigned threads, PostingSorter& sorter,
                               const std::function<void(GameId done)>& progress) {
    std::vector<std::optional<Replayer>> replayers(threads);
    GameRange rest = games;
    std::uint64_t postings = 0;
    struct Done {
        GameId last = 0;
        std::uint64_t postings = 0;
    };
    base::run_ordered(
        threads, threads + 2, [&] { return take_front(rest, kGamesOfBatch); },
        [&](unsigned thread, const GameRange& range) {
            if (!replayers[thread]) replayers[thread].emplace(database, sorter.feeder(thread));
            return Done{range.last, replayers[thread]->replay(kind, range)};
        },
        [&](const Done& done) {
            postings += done.postings;
            if (progress) progress(done.last);
        });
    return postings;
}

}  // namespace fendex::store
