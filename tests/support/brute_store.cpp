#include "support/brute_store.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "store/sqlite/file_store.hpp"
#include "store/store_error.hpp"
#include "support/brute_engine.hpp"

namespace fendex::test {

namespace {

using store::GameId;

class BruteReader final : public store::StoreReader {
  public:
    BruteReader(store::Reader inner, std::uint64_t offset, std::shared_ptr<const PlayedGames> games)
        : inner_(std::move(inner)),
          offset_(offset),
          engine_(brute_engine(*inner_->local(), std::move(games))) {}

    store::Engine& engine() override { return *engine_; }

    store::StoreInfo info() override {
        ++round_trips();
        return inner_->info();
    }
    std::uint64_t count_players() override {
        ++round_trips();
        return inner_->count_players();
    }
    GameId last_game() override { return outside(inner_->last_game()); }
    bool has_game(GameId game) override {
        ++round_trips();
        return game > offset_ && inner_->has_game(inside(game));
    }

    codec::GameFacts facts(GameId game) override {
        if (!last_batch_.contains(game)) ++round_trips();
        return inner_->facts(inside(game));
    }
    std::vector<store::StoredSource> sources() override {
        ++round_trips();
        std::vector<store::StoredSource> sources = inner_->sources();
        for (store::StoredSource& each : sources) each.first_game += offset_;
        return sources;
    }
    void for_each_error(const std::function<bool(const store::StoredError&)>& visit) override {
        ++round_trips();
        inner_->for_each_error([&](store::StoredError error) {
            if (error.game) error.game = outside(*error.game);
            return visit(error);
        });
    }
    std::optional<std::string> broken_game(std::int64_t error) override {
        ++round_trips();
        return inner_->broken_game(error);
    }

    void headers(std::span<const GameId> games,
                 const std::function<void(const store::GameHeader&)>& visit) override {
        inner_->headers(batch(games), [&](store::GameHeader header) {
            header.id = outside(header.id);
            visit(header);
        });
    }
    void moves(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredMoves&)>& visit) override {
        inner_->moves(batch(games), [&](GameId game, const store::StoredMoves& moves) {
            visit(outside(game), moves);
        });
    }
    void games(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredGame&)>& visit) override {
        inner_->games(batch(games), [&](GameId game, const store::StoredGame& stored) {
            visit(outside(game), stored);
        });
    }
    void for_each_moves(
        GameId first,
        const std::function<bool(GameId, const store::StoredMoves&)>& visit) override {
        ++round_trips();
        inner_->for_each_moves(from(first), [&](GameId game, const store::StoredMoves& moves) {
            return visit(outside(game), moves);
        });
    }
    void for_each_game(
        GameId first, const std::function<bool(GameId, const store::StoredGame&)>& visit) override {
        ++round_trips();
        inner_->for_each_game(from(first), [&](GameId game, const store::StoredGame& stored) {
            return visit(outside(game), stored);
        });
    }
    bool annotation(GameId game, std::string& stream) override {
        if (!last_batch_.contains(game)) ++round_trips();
        return inner_->annotation(inside(game), stream);
    }
    void annotations(std::span<const GameId> games,
                     const std::function<void(GameId, std::string_view)>& visit) override {
        inner_->annotations(batch(games), [&](GameId game, std::string_view stream) {
            visit(outside(game), stream);
        });
    }
    void for_each_annotation(GameId first,
                             const std::function<bool(GameId, std::string_view)>& visit) override {
        ++round_trips();
        inner_->for_each_annotation(from(first), [&](GameId game, std::string_view stream) {
            return visit(outside(game), stream);
        });
    }
    std::vector<store::Repetition> repetitions(GameId game) override {
        ++round_trips();
        auto out = inner_->repetitions(inside(game));
        for (store::Repetition& each : out) each.game = game;
        return out;
    }
    std::vector<store::QuietRun> quiet_runs(GameId game) override {
        ++round_trips();
        auto out = inner_->quiet_runs(inside(game));
        for (store::QuietRun& each : out) each.game = game;
        return out;
    }

    void refresh() override { inner_->refresh(); }
    void release() override { inner_->release(); }
    std::uint64_t snapshot() const override { return inner_->snapshot(); }
    store::SnapshotCache& snapshot_cache() override { return snapshot_cache_; }

  private:
    [[nodiscard]] GameId outside(GameId game) const { return game + offset_; }
    /// Returns 0, which is no game, for a game of another origin.
    [[nodiscard]] GameId inside(GameId game) const { return game > offset_ ? game - offset_ : 0; }
    [[nodiscard]] GameId from(GameId first) const { return std::max<GameId>(1, inside(first)); }
    std::vector<GameId> batch(std::span<const GameId> games) {
        ++round_trips();
        last_batch_ = {games.begin(), games.end()};
        std::vector<GameId> out;
        for (const GameId game : games) out.push_back(inside(game));
        return out;
    }

    store::Reader inner_;
    std::uint64_t offset_;
    std::unique_ptr<store::Engine> engine_;
    store::SnapshotCache snapshot_cache_;
    std::set<GameId> last_batch_;
};

class BruteStore final : public store::Store {
  public:
    BruteStore(const std::string& path, std::uint64_t offset)
        : Store(path),
          inner_(store::file_store(path)),
          offset_(offset),
          games_(played_games(*inner_->reader(), offset)) {}

  private:
    std::unique_ptr<store::StoreReader> new_reader() override {
        return std::make_unique<BruteReader>(inner_->reader(), offset_, games_);
    }
    std::unique_ptr<store::StoreWriter> new_writer(std::string_view,
                                                   std::shared_ptr<void>) override {
        throw store::StoreError(store::StoreError::kOther, "a brute store is not written");
    }

    std::shared_ptr<store::Store> inner_;
    std::uint64_t offset_;
    std::shared_ptr<const PlayedGames> games_;
};

}  // namespace

std::shared_ptr<store::Store> brute_store(const std::string& path, std::uint64_t offset) {
    return std::make_shared<BruteStore>(path, offset);
}

std::atomic<std::uint64_t>& round_trips() {
    static std::atomic<std::uint64_t> count = 0;
    return count;
}

}  // namespace fendex::test
