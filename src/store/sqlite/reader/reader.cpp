#include "store/sqlite/reader/reader.hpp"

#include <algorithm>
#include <unordered_map>

#include "store/sqlite/caches/shared_caches.hpp"
#include "store/sqlite/engine/engine.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/reader/column_reader.hpp"
#include "store/sqlite/reader/ledger_reader.hpp"
#include "store/sqlite/reader/position_reader.hpp"
#include "store/sqlite/reader/repetition_reader.hpp"
#include "store/sqlite/tables/annotation_table.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/deleted_games.hpp"
#include "store/sqlite/tables/game_reader.hpp"

namespace fendex::store {

namespace {

/// Selects whether there may be games of another variant: they have one of these tags
/// (replay/game_start.hpp). Reads few rows: there are few different lists of tag names.
constexpr char kSelectVariantShape[] =
    "SELECT 1 FROM main.tag_shape WHERE instr(name, 'Variant') OR instr(name, 'FEN') LIMIT 1";

/// The number of ranks that are kept; they take some 2 MiB.
constexpr std::size_t kMostKeptRanks = 50'000;

class SqliteReader final : public LocalReader {
  public:
    enum class Snapshot { kOwn, kOfTheStatement };

    SqliteReader(Connection connection, Snapshot kind, std::shared_ptr<SharedCaches> shared)
        : engine_(make_local_engine(*this)),
          connection_(std::move(connection)),
          kind_(kind),
          shared_(std::move(shared)),
          begin_(connection_, "BEGIN"),
          end_(connection_, "COMMIT"),
          select_format_(connection_, "PRAGMA main.user_version"),
          games_(connection_),
          deleted_(connection_),
          annotations_(connection_),
          positions_(connection_, deleted_, games_, annotations_),
          signatures_(connection_),
          facts_(connection_),
          columns_(connection_, facts_),
          repetitions_(connection_) {
        refresh();
    }

    Engine& engine() override { return *engine_; }
    StoreInfo info() override;
    GameId last_game() override { return last_game_; }
    bool has_game(GameId game) override {
        return game >= 1 && game <= last_game_ && !deleted_.contains(game);
    }
    std::unique_ptr<CandidateCursor> candidates(std::uint64_t key) override {
        return positions_.candidates(key);
    }
    void for_each_candidate_group(
        std::uint64_t key, const std::function<void(std::span<const Candidate>)>& visit) override {
        positions_.for_each_candidate_group(key, visit);
    }
    PositionOverview overview(std::uint64_t key) override { return positions_.overview(key); }
    std::vector<GameId> games_with_variations(std::uint64_t key) override {
        return positions_.games_with_variations(key);
    }
    std::vector<GameRange> games_with_indexed_variations() override {
        return positions_.games_with_indexed_variations();
    }
    codec::GameFacts facts(GameId game) override { return facts_.at(game); }
    codec::GameRanks ranks(GameId game) override;
    std::vector<codec::GameSignature> signatures(const GameRange& games) override;
    std::vector<GameId> possible_games(const GameRange& games,
                                       std::span<const codec::SignatureCondition> any_of) override;
    bool may_have_variants() override {
        return connection_.integer(kSelectVariantShape).has_value();
    }
    std::vector<StoredSource> sources() override { return read_sources(connection_); }
    void for_each_error(const std::function<bool(const StoredError&)>& visit) override {
        store::for_each_error(connection_, visit);
    }
    std::optional<std::string> broken_game(std::int64_t error) override {
        return store::broken_game(connection_, error);
    }
    void for_each_repetition(GameId first, std::uint32_t min_count,
                             const std::function<bool(const Repetition&)>& visit) override {
        repetitions_.for_each(first, min_count, visit);
    }
    void for_each_repetition_of(std::uint64_t key, std::uint32_t min_count,
                                const std::function<bool(const Repetition&)>& visit) override;
    std::vector<Repetition> repetitions(GameId game) override { return repetitions_.of_game(game); }
    void for_each_quiet_run(GameId first,
                            const std::function<bool(const QuietRun&)>& visit) override {
        repetitions_.for_each_run(first, visit);
    }
    std::vector<QuietRun> quiet_runs(GameId game) override {
        return repetitions_.runs_of_game(game);
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
        for (const GameId game : games) {
            if (games_.game(game, game_)) visit(game, game_);
        }
    }
    void column(GameColumn which, GameId first, std::span<std::uint32_t> out) override {
        columns_.column(which, first, out);
    }
    std::optional<std::string> name(NameKind kind, std::int64_t id) override {
        return columns_.name(kind, id);
    }
    void for_each_name(NameKind kind,
                       const std::function<void(std::int64_t, std::string_view)>& visit) override {
        columns_.for_each_name(kind, visit);
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

    void refresh() override {
        release();
        require_current();
        if (kind_ == Snapshot::kOwn) begin();
        const bool has_news = connection_.data_version() != seen_;
        const bool shares = shared_ && shared_->is_sharing();
        if (!has_news && shares == shares_) return;
        SnapshotCaches caches;
        if (shares) {
            release();
            caches = shared_->of_snapshot([this] {
                release();
                begin();
            });
        }
        shares_ = shares;
        const DataVersion version = connection_.data_version();
        if (version != seen_) {
            seen_.reset();  // stays empty if loading fails
            ++number_;
            load();
            seen_ = version;
        }
        games_.use(caches);
        facts_.use(caches.facts);
        columns_.use(caches);
        snapshot_cache_ = caches.results;
        require_current();  // the caches may be those of a newer snapshot
    }
    void release() override {
        if (std::exchange(is_begun_, false)) end_.run();
    }
    std::uint64_t snapshot() const override { return number_; }
    SnapshotCache& snapshot_cache() override { return *snapshot_cache_; }

  private:
    template <typename Visit>
    void for_each_signature(const GameRange& games, Visit visit);
    /// Begins a snapshot. It begins with the first statement that reads, not with BEGIN.
    void begin() {
        begin_.run();
        is_begun_ = true;
        select_format_.run();
    }

    void require_current() {
        if (!connection_.is_outdated()) return;
        seen_.reset();
        throw StoreError(StoreError::kUpgraded,
                         connection_.path() +
                             ": another program has written it, which this reader cannot see "
                             "without permission to write beside it: open it again");
    }

    void load() {
        require_same_format(connection_);
        deleted_.load();
        const std::uint64_t games = meta("games");
        const GameId last = meta("last_game");
        positions_.load(last, meta("variations_from"));
        signatures_.forget();
        ranks_.clear();
        if (last > static_cast<std::uint64_t>(most_rows(connection_)) || games > last ||
            positions_.segments().indexed_games() > last) {
            connection_.throw_damaged("the number of games");
        }
        game_count_ = games;
        last_game_ = last;
        annotated_ = meta("annotated_games") != 0;
    }

    std::uint64_t meta(const std::string& name) {
        return connection_.number("SELECT value FROM main.meta WHERE name = '" + name + "'");
    }

    std::unique_ptr<Engine> engine_;
    Connection connection_;
    Snapshot kind_;
    std::shared_ptr<SharedCaches> shared_;  // null if nothing is shared
    bool shares_ = false;
    Statement begin_;
    Statement end_;
    Statement select_format_;
    bool is_begun_ = false;            // a transaction was begun here
    std::optional<DataVersion> seen_;  // the version of the loaded data
    std::uint64_t number_ = 0;
    GameReader games_;
    StoredGame game_;  // passed to the visitor of games()
    DeletedGames deleted_;
    AnnotationReader annotations_;
    PositionReader positions_;
    SignatureReader signatures_;
    FactReader facts_;
    std::unordered_map<GameId, codec::GameRanks> ranks_;  // of games for which ranks() was called
    ColumnReader columns_;
    std::shared_ptr<SnapshotCache> snapshot_cache_;
    std::uint64_t game_count_ = 0;
    GameId last_game_ = 0;
    bool annotated_ = false;  // any game has annotations
    RepetitionReader repetitions_;
};

/// Reads the game's row, which is much smaller than its chunk of facts.
codec::GameRanks SqliteReader::ranks(GameId game) {
    if (const auto known = ranks_.find(game); known != ranks_.end()) return known->second;
    if (ranks_.size() >= kMostKeptRanks) ranks_.clear();
    const std::optional<codec::GameRanks> ranks = games_.ranks(game);
    return ranks_[game] = ranks ? *ranks : codec::ranks_of(facts_.at(game));
}

/// Calls visit(game, signature) for the games of a range, up to the last game.
template <typename Visit>
void SqliteReader::for_each_signature(const GameRange& games, Visit visit) {
    const GameId last = std::min(games.last, last_game_);
    if (games.first > last) return;
    GameId game = games.first;
    signatures_.for_each_chunk(
        game, last - game + 1,
        [&](const codec::SignatureChunk& chunk, std::size_t offset, std::size_t count) {
            for (std::size_t i = offset; i < offset + count; ++i) visit(game++, chunk[i]);
        });
}

std::vector<codec::GameSignature> SqliteReader::signatures(const GameRange& games) {
    std::vector<codec::GameSignature> out;
    for_each_signature(games,
                       [&](GameId, const codec::GameSignature& each) { out.push_back(each); });
    return out;
}

std::vector<GameId> SqliteReader::possible_games(
    const GameRange& games, std::span<const codec::SignatureCondition> any_of) {
    std::vector<GameId> out;
    for_each_signature(games, [&](GameId game, const codec::GameSignature& signature) {
        const auto may_hold = [&](const auto& each) { return each.may_hold(signature); };
        // A deleted game has no positions, even if a damaged signature says otherwise.
        if (std::any_of(any_of.begin(), any_of.end(), may_hold) && has_game(game)) {
            out.push_back(game);
        }
    });
    return out;
}

/// Looks only at games with several postings of the position: those that repeated it.
void SqliteReader::for_each_repetition_of(std::uint64_t key, std::uint32_t min_count,
                                          const std::function<bool(const Repetition&)>& visit) {
    const std::unique_ptr<CandidateCursor> cursor = candidates(key);
    Candidate candidate;
    GameId game = 0;
    std::uint32_t postings = 0;
    const auto visit_game = [&] {
        if (postings < std::max(min_count, 2U)) return true;
        const std::vector<Repetition> all = repetitions_.of_game(game);
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&](const Repetition& each) { return each.key == key; });
        return found == all.end() || found->plies.size() < min_count || visit(*found);
    };
    while (cursor->next(candidate)) {
        if (candidate.game != game) {
            if (!visit_game()) return;
            game = candidate.game;
            postings = 0;
        }
        ++postings;
    }
    visit_game();
}

StoreInfo SqliteReader::info() {
    const SegmentReader& segments = positions_.segments();
    const GameId indexed = segments.indexed_games();
    StoreInfo info;
    info.games = game_count_;
    info.plies = meta("plies");
    info.positions = meta("positions");
    info.fingerprint = meta("fingerprint");
    info.distinct_positions = segments.distinct_positions();
    info.index_pieces = segments.segments().size();
    info.last_game = last_game();
    info.postings = segments.postings();
    info.postings_written = meta("postings_written");
    info.unindexed_games = last_game_ - indexed - deleted_.count_from(indexed + 1);
    info.annotated_games = meta("annotated_games");
    info.annotation_bytes = meta("annotation_bytes");
    const auto number = [&](std::string_view sql) { return connection_.number(sql); };
    info.sources = number("SELECT count(*) FROM main.source");
    if (connection_.format() >= kSealedFormat) {
        info.warnings = number("SELECT count(*) FROM main.import_error WHERE severity = 1");
    }
    info.errors = meta("errors") - std::min(meta("errors"), info.warnings);
    info.players = number("SELECT count(*) FROM main.player");
    info.variation_pieces = number("SELECT count(*) FROM main.segment WHERE kind = 1");
    const std::uint64_t page = number("PRAGMA main.page_size");
    info.bytes = number("PRAGMA main.page_count") * page;
    info.free_bytes = number("PRAGMA main.freelist_count") * page;
    info.id = connection_.text("SELECT value FROM main.meta WHERE name = 'id'").value_or("");
    if (const auto rows = connection_.text("SELECT value FROM main.meta WHERE name = 'ply_rows'")) {
        info.ply_rows = *rows == "yes" ? PlyRows::kYes : PlyRows::kNo;
    }
    return info;
}

}  // namespace

std::unique_ptr<LocalReader> open_sqlite_reader(const std::string& path,
                                                std::shared_ptr<SharedCaches> shared,
                                                std::size_t cache_bytes) {
    Connection connection = open_database(path, Connection::Mode::kReadOnly);
    connection.run("PRAGMA cache_size = -" + std::to_string(cache_bytes / 1024));
    return std::make_unique<SqliteReader>(std::move(connection), SqliteReader::Snapshot::kOwn,
                                          std::move(shared));
}

std::unique_ptr<LocalReader> open_sqlite_reader(sqlite3* borrowed) {
    Connection connection(borrowed);
    require_fendex(connection);
    return std::make_unique<SqliteReader>(std::move(connection),
                                          SqliteReader::Snapshot::kOfTheStatement, nullptr);
}

}  // namespace fendex::store
