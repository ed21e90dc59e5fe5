#include "clickhouse/reader.hpp"

#include <utility>

#include "clickhouse/engine.hpp"
#include "clickhouse/expected_games.hpp"
#include "clickhouse/game_rows.hpp"
#include "clickhouse/ledger_rows.hpp"
#include "clickhouse/repetition_rows.hpp"
#include "clickhouse/tables.hpp"
#include "store/engine.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

class ClusterReader final : public store::StoreReader {
  public:
    ClusterReader(Connection connection, std::shared_ptr<SnapshotSource> source)
        : session_(std::move(connection), std::move(source)),
          engine_(session_, *this),
          games_(session_, expected_),
          repetitions_(session_, expected_) {
        session_.set_cluster(require_tables(session_.connection()));
        refresh();
    }

    store::Engine& engine() override { return engine_; }

    store::StoreInfo info() override { return read_info(session_); }
    GameId last_game() override { return session_.snapshot().last_game(); }
    bool has_game(GameId game) override { return game <= last_game() && games_.exists(game); }
    codec::GameFacts facts(GameId game) override {
        if (game == 0 || game > last_game()) {
            throw store::DamageError(to_text(session_.connection().url()) +
                                     ": damaged: no facts of game " + std::to_string(game));
        }
        return games_.facts(game);
    }

    std::vector<store::StoredSource> sources() override { return read_sources(session_); }
    void for_each_error(const std::function<bool(const store::StoredError&)>& visit) override {
        clickhouse::for_each_error(session_, visit);
    }
    std::optional<std::string> broken_game(std::int64_t error) override {
        return read_broken_game(session_, error);
    }

    using StoreReader::moves;
    void headers(std::span<const GameId> games,
                 const std::function<void(const store::GameHeader&)>& visit) override {
        games_.headers(games, visit);
    }
    void moves(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredMoves&)>& visit) override {
        games_.moves(games, visit);
    }
    void games(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredGame&)>& visit) override {
        games_.games(games, visit);
    }
    void for_each_moves(
        GameId first,
        const std::function<bool(GameId, const store::StoredMoves&)>& visit) override {
        games_.for_each_moves(first, visit);
    }
    void for_each_game(
        GameId first, const std::function<bool(GameId, const store::StoredGame&)>& visit) override {
        games_.for_each_game(first, visit);
    }
    bool annotation(GameId game, std::string& stream) override {
        return games_.annotation(game, stream);
    }
    void annotations(std::span<const GameId> games,
                     const std::function<void(GameId, std::string_view)>& visit) override {
        games_.annotations(games, visit);
    }
    void for_each_annotation(GameId first,
                             const std::function<bool(GameId, std::string_view)>& visit) override {
        games_.for_each_annotation(first, visit);
    }

    std::vector<store::Repetition> repetitions(GameId game) override {
        return repetitions_.repetitions(game);
    }
    std::vector<store::QuietRun> quiet_runs(GameId game) override {
        return repetitions_.quiet_runs(game);
    }

    void refresh() override {
        session_.refresh();
        if (session_.snapshot().number() == seen_) return;
        seen_ = session_.snapshot().number();
        expected_.clear();
        games_.forget();
        repetitions_.forget();
    }
    /// Does nothing: the server keeps nothing for a reader.
    void release() override {}
    std::uint64_t snapshot() const override { return seen_; }
    store::SnapshotCache& snapshot_cache() override { return session_.snapshot().snapshot_cache(); }

  private:
    ReadSession session_;
    ClusterEngine engine_;
    ExpectedGames expected_;
    GameRows games_;
    RepetitionRows repetitions_;
    std::uint64_t seen_ = 0;  // the snapshot's number
};

}  // namespace

std::unique_ptr<store::StoreReader> open_reader(Connection connection,
                                                std::shared_ptr<SnapshotSource> source) {
    return std::make_unique<ClusterReader>(std::move(connection), std::move(source));
}

}  // namespace fendex::clickhouse
