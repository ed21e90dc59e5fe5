#include "clickhouse/reader.hpp"

#include <utility>

#include "clickhouse/engine.hpp"
#include "clickhouse/expected_games.hpp"
#include "clickhouse/game_rows.hpp"
#include "clickhouse/game_tags.hpp"
#include "clickhouse/ledger_rows.hpp"
#include "clickhouse/record_rows.hpp"
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
          repetitions_(session_, expected_, kRepetitions),
          quiet_runs_(session_, expected_, kQuietRuns),
          records_(session_) {
        session_.set_layout(require_tables(session_.connection(), OlderTables::kRead));
        refresh();
    }

    store::Engine& engine() override { return engine_; }

    store::StoreInfo info() override { return read_info(session_); }
    std::uint64_t count_players() override { return clickhouse::count_players(session_); }
    GameId last_game() override { return session_.snapshot().last_game(); }
    bool has_game(GameId game) override {
        bool found = false;
        if (game <= last_game())
            read_one(GameRows::kFacts, game, [&](const Row&) { found = true; });
        return found;
    }
    codec::GameFacts facts(GameId game) override {
        if (game == 0 || game > last_game()) {
            throw store::DamageError(to_text(session_.connection().url()) +
                                     ": damaged: no facts of game " + std::to_string(game));
        }
        codec::GameFacts facts;
        read_one(GameRows::kFacts, game, [&](const Row& row) { facts = row.facts; });
        return facts;
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
        games_.list(GameRows::kTags, games, [&](GameId game, const Row& row) {
            visit(header_of(game, row.game.tags, row.facts));
        });
    }
    void moves(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredMoves&)>& visit) override {
        games_.list(GameRows::kMoves, games,
                    [&](GameId game, const Row& row) { visit(game, row.game.moves); });
    }
    void games(std::span<const GameId> games,
               const std::function<void(GameId, const store::StoredGame&)>& visit) override {
        games_.list(kWhole, games, [&](GameId game, const Row& row) { visit(game, row.game); });
    }
    void for_each_moves(
        GameId first,
        const std::function<bool(GameId, const store::StoredMoves&)>& visit) override {
        games_.scan(GameRows::kMoves, first,
                    [&](GameId game, const Row& row) { return visit(game, row.game.moves); });
    }
    void for_each_game(
        GameId first, const std::function<bool(GameId, const store::StoredGame&)>& visit) override {
        games_.scan(kWhole, first,
                    [&](GameId game, const Row& row) { return visit(game, row.game); });
    }
    bool annotation(GameId game, std::string& stream) override {
        stream.clear();
        read_one(GameRows::kAnnotation, game, [&](const Row& row) { stream = row.annotation; });
        return !stream.empty();
    }
    void annotations(std::span<const GameId> games,
                     const std::function<void(GameId, std::string_view)>& visit) override {
        games_.list(GameRows::kAnnotation, games, [&](GameId game, const Row& row) {
            if (!row.annotation.empty()) visit(game, row.annotation);
        });
    }
    void for_each_annotation(GameId first,
                             const std::function<bool(GameId, std::string_view)>& visit) override {
        games_.scan(GameRows::kAnnotation, first,
                    [&](GameId game, const Row& row) { return visit(game, row.annotation); });
    }

    std::vector<store::Repetition> repetitions(GameId game) override {
        return repetitions_.read(game);
    }
    std::vector<store::QuietRun> quiet_runs(GameId game) override { return quiet_runs_.read(game); }
    store::PositionRecords* records() override { return &records_; }

    void refresh() override {
        session_.refresh();
        if (session_.snapshot().number() == seen_) return;
        seen_ = session_.snapshot().number();
        expected_.clear();
        games_.forget();
        repetitions_.forget();
        quiet_runs_.forget();
        records_.forget();
    }
    /// Does nothing: the server keeps nothing for a reader.
    void release() override {}
    std::uint64_t snapshot() const override { return seen_; }
    store::SnapshotCache& snapshot_cache() override { return session_.snapshot().snapshot_cache(); }

  private:
    using Row = GameRows::Row;
    static constexpr unsigned kWhole = GameRows::kMoves | GameRows::kTags;

    template <typename Use>
    void read_one(unsigned parts, GameId game, Use use) {
        games_.list(parts, {&game, 1}, [&](GameId, const Row& row) { use(row); });
    }

    ReadSession session_;
    ClusterEngine engine_;
    ExpectedGames expected_;
    GameRows games_;
    RowsOfGame<store::Repetition> repetitions_;
    RowsOfGame<store::QuietRun> quiet_runs_;
    RecordRows records_;
    std::uint64_t seen_ = 0;  // the snapshot's number
};

}  // namespace

std::unique_ptr<store::StoreReader> open_reader(Connection connection,
                                                std::shared_ptr<SnapshotSource> source) {
    return std::make_unique<ClusterReader>(std::move(connection), std::move(source));
}

}  // namespace fendex::clickhouse
