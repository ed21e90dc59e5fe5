// The reader of a SQLite database: one class, whose functions are in a file for each subject.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/local_reader.hpp"
#include "store/sqlite/caches/shared_caches.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file/log_state.hpp"
#include "store/sqlite/reader/idle_snapshots.hpp"
#include "store/sqlite/reader/ledger_reader.hpp"
#include "store/sqlite/records/record_reader.hpp"
#include "store/sqlite/segments/segment_reader.hpp"
#include "store/sqlite/tables/annotation_table.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/deleted_games.hpp"
#include "store/sqlite/tables/game_reader.hpp"
#include "store/sqlite/tables/player_lists.hpp"
#include "store/sqlite/tables/row_codes.hpp"
#include "store/store.hpp"

namespace fendex::store {

class SqliteReader final : public LocalReader, private RestingReader {
  public:
    enum class Snapshot { kOwn, kOfTheStatement };

    /// `value_bytes` as in CacheSizes; `shared` and `idle` may be null.
    SqliteReader(Connection connection, Snapshot kind, std::shared_ptr<SharedCaches> shared,
                 std::shared_ptr<IdleSnapshots> idle,
                 std::size_t value_bytes = CacheSizes{}.value_bytes);
    ~SqliteReader() override;
    SqliteReader(const SqliteReader&) = delete;
    SqliteReader& operator=(const SqliteReader&) = delete;

    // The snapshot and games (reader.cpp).
    Engine& engine() override { return *engine_; }
    PositionRecords* records() override { return &records_; }
    StoreInfo info() override;
    std::uint64_t count_players() override;
    GameId last_game() override { return last_game_; }
    bool has_game(GameId game) override {
        return game >= 1 && game <= last_game_ && !deleted_.contains(game);
    }
    std::vector<GameId> deleted_games() override { return deleted_.games(); }
    codec::GameFacts facts(GameId game) override { return facts_.at(game); }
    codec::GameRanks ranks(GameId game) override;
    std::vector<codec::GameSignature> signatures(const GameRange& games) override;
    std::vector<GameId> possible_games(const GameRange& games,
                                       std::span<const codec::SignatureCondition> any_of) override;
    bool may_have_variants() override;
    bool may_have_tag(std::string_view part) override;
    std::vector<StoredSource> sources() override { return read_sources(connection_); }
    void for_each_error(const std::function<bool(const StoredError&)>& visit) override {
        store::for_each_error(connection_, visit);
    }
    std::optional<std::string> broken_game(std::int64_t error) override {
        return store::broken_game(connection_, error);
    }
    void headers(std::span<const GameId> games,
                 const std::function<void(const GameHeader&)>& visit) override {
        games_.headers(games, visit);
    }
    void moves(std::span<const GameId> games,
               const std::function<void(GameId, const StoredMoves&)>& visit) override {
        games_.moves(games, visit);
    }
    void games(std::span<const GameId> games,
               const std::function<void(GameId, const StoredGame&)>& visit) override {
        games_.games(games, visit);
    }
    void for_each_moves(GameId first,
                        const std::function<bool(GameId, const StoredMoves&)>& visit) override {
        games_.for_each_moves(first, visit);
    }
    void for_each_game(GameId first,
                       const std::function<bool(GameId, const StoredGame&)>& visit) override {
        games_.for_each_game(first, visit);
    }
    bool annotation(GameId game, std::string& stream) override {
        return annotated_ && annotations_.read(game, stream);
    }
    void for_each_annotation(GameId first,
                             const std::function<bool(GameId, std::string_view)>& visit) override {
        annotations_.for_each(first, visit);
    }
    void refresh() override;
    void release() override;
    std::uint64_t snapshot() const override { return number_; }
    SnapshotCache& snapshot_cache() override { return *snapshot_cache_; }

    // Positions in the indexes of main lines and variations, and in games that are in no segment
    // yet (position_reader.cpp).
    bool has_current_facts() override;
    SegmentReader* copyable_segments() override {
        return has_current_facts() ? &segments_ : nullptr;
    }
    std::shared_ptr<GameRows> rows(const GameRange& games) override;
    std::unique_ptr<CandidateCursor> candidates(std::uint64_t key) override;
    void for_each_candidate_group(
        std::uint64_t key, const std::function<void(std::span<const Candidate>)>& visit) override;
    PositionOverview overview(std::uint64_t key) override;
    PositionTotals totals(std::uint64_t key) override;
    std::optional<FineOverview> fine_overview(std::uint64_t key) override;
    [[nodiscard]] bool has_whole_facts() const override { return !row_facts_; }
    std::unique_ptr<PositionPieces> pieces(std::uint64_t key) override;
    std::vector<GameId> games_with_variations(std::uint64_t key) override;
    std::vector<GameRange> games_with_indexed_variations() override;

    // The values that filters compare, and the names of their codes (column_reader.cpp).
    [[nodiscard]] std::shared_ptr<const void> begin_scan() override;
    [[nodiscard]] unsigned threads() const override;
    void column(GameColumn which, GameId first, std::span<std::uint32_t> out) override;
    ChunkOfFacts facts_of_chunk(GameId game) override;
    std::optional<std::string> name(NameKind kind, std::int64_t id) override;
    std::optional<std::int64_t> name_id(NameKind kind, std::string_view name) override;
    void for_each_name_from(
        NameKind kind, std::int64_t first,
        const std::function<void(std::int64_t, std::string_view)>& visit) override;
    PlayerLists* player_lists() override {
        if (!std::exchange(has_loaded_lists_, true)) player_lists_.load(last_game_);
        return &player_lists_;
    }

    void for_each_name_join(const std::function<void(const NameJoin&)>& visit) override;

    // Tables `repetition` and `quiet_run` (repetition_reader.cpp).
    void for_each_repetition(GameId first, std::uint32_t min_count,
                             const std::function<bool(const Repetition&)>& visit) override;
    void for_each_repetition_of(std::uint64_t key, std::uint32_t min_count,
                                const std::function<bool(const Repetition&)>& visit) override;
    std::vector<Repetition> repetitions(GameId game) override;
    void for_each_quiet_run(GameId first,
                            const std::function<bool(const QuietRun&)>& visit) override;
    std::vector<QuietRun> quiet_runs(GameId game) override;

  private:
    static constexpr char kSelectRepetitions[] =
        "SELECT game_id, key, count, plies FROM main.repetition"
        " WHERE game_id >= ?1 AND count >= ?2 ORDER BY game_id, key";
    static constexpr char kSelectRuns[] =
        "SELECT game_id, ply50, ply75, longest FROM main.quiet_run"
        " WHERE game_id >= ?1 ORDER BY game_id, ply50";

    void renew();
    void begin();
    void end_snapshot() override {
        if (std::exchange(is_begun_, false)) end_.run();
    }
    [[nodiscard]] bool is_current() const;
    void require_current();
    void load();
    std::uint64_t meta(const std::string& name) {
        return connection_.number("SELECT value FROM main.meta WHERE name = '" + name + "'");
    }
    template <typename Visit>
    void for_each_signature(const GameRange& games, Visit visit);
    void scan_unindexed(std::uint64_t key, std::vector<Candidate>& out);
    KeyPostings find_all(std::uint64_t key, SummaryPart part = SummaryPart::kWhole);
    void swings(chess::Color player, GameId first, std::span<std::uint32_t> out);
    void elo_sums(GameId first, std::span<std::uint32_t> out);
    void column_of_rows(GameColumn which, GameId first, std::span<std::uint32_t> out);
    void require_openings() const;

    std::unique_ptr<Engine> engine_;
    Connection connection_;
    Snapshot kind_;
    std::shared_ptr<SharedCaches> shared_;  // null if nothing is shared
    std::shared_ptr<IdleSnapshots> idle_;   // null if snapshots end with each release()
    std::uint64_t round_ = 0;               // of idle_
    std::size_t value_bytes_;
    bool shares_ = false;
    Statement begin_;
    Statement end_;
    Statement select_format_;
    bool is_begun_ = false;            // a transaction was begun here
    bool is_loaded_ = false;           // everything was loaded from it
    bool shares_log_ = false;          // with other connections, perhaps of other processes
    std::optional<LogState> log_;      // when the transaction was begun; empty if not known
    std::optional<DataVersion> seen_;  // the version of the loaded data
    std::uint64_t number_ = 0;
    std::shared_ptr<SnapshotCache> snapshot_cache_;
    std::uint64_t game_count_ = 0;
    GameId last_game_ = 0;
    GameId variations_from_ = 0;  // the first game whose variations are not indexed; 0: none
    bool annotated_ = false;      // any game has annotations
    bool has_joined_names_ = false;

    GameReader games_;
    DeletedGames deleted_;
    AnnotationReader annotations_;
    SegmentReader segments_;
    SegmentReader variations_;
    SignatureReader signatures_;
    FactReader facts_;
    std::unordered_map<GameId, codec::GameRanks> ranks_;  // of games for which ranks() was called
    std::optional<PlayerCodeReader> players_;  // empty before version 6, which has no such tables
    std::optional<NameCodeReader> names_;
    std::optional<OpeningCodeReader> openings_;  // empty before version 7
    std::optional<SwingReader> swings_;          // empty if no game has a swing
    PlayerListReader player_lists_;
    bool has_loaded_lists_ = false;      // of the snapshot
    std::optional<RowCodes> row_codes_;  // only before version 6
    std::optional<RowFacts> row_facts_;
    std::array<std::optional<Statement>, kNameKinds> name_of_id_;
    Statement repetitions_of_game_;
    Statement runs_of_game_;
    RecordReader records_;
};

}  // namespace fendex::store
