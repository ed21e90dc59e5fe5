#include "store/sqlite/reader/reader.hpp"

#include <algorithm>
#include <unordered_map>

#include "replay/stored_walk.hpp"
#include "store/sqlite/caches/shared_caches.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/reader/column_reader.hpp"
#include "store/sqlite/reader/error_reader.hpp"
#include "store/sqlite/reader/repetition_reader.hpp"
#include "store/sqlite/segments/segment_reader.hpp"
#include "store/sqlite/tables/annotation_table.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/deleted_games.hpp"
#include "store/sqlite/tables/game_reader.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

namespace {

/// Selects whether there may be games of another variant: they have one of these tags
/// (replay/game_start.hpp). Reads few rows: there are few different lists of tag names.
constexpr char kSelectVariantShape[] =
    "SELECT 1 FROM main.tag_shape WHERE instr(name, 'Variant') OR instr(name, 'FEN') LIMIT 1";

/// They take some 2 MiB.
constexpr std::size_t kMostKeptRanks = 50'000;

/// Returns the query for the ledger. Version 4 has no column prefixes.
std::string select_sources(const Connection& connection) {
    return "SELECT id, path, size, modified, first_byte, bytes, digest, resume_byte, resume_line,"
           " resume_digest, open_game, complete, first_game, games, duplicates, plies, errors,"
           " started, finished, options, " +
           std::string(connection.format() >= kSealedFormat ? "prefixes" : "NULL") +
           " FROM main.source ORDER BY id";
}

class SqliteReader final : public StoreReader {
  public:
    enum class Snapshot { kOwn, kOfTheStatement };

    SqliteReader(Connection connection, Snapshot kind, std::shared_ptr<SharedCaches> shared)
        : connection_(std::move(connection)),
          kind_(kind),
          shared_(std::move(shared)),
          begin_(connection_, "BEGIN"),
          end_(connection_, "COMMIT"),
          select_format_(connection_, "PRAGMA main.user_version"),
          select_sources_(connection_, select_sources(connection_)),
          games_(connection_),
          deleted_(connection_),
          segments_(connection_, SegmentKind::kMainLine, deleted_),
          variations_(connection_, SegmentKind::kVariations, deleted_),
          facts_(connection_),
          signatures_(connection_),
          annotations_(connection_),
          columns_(connection_, facts_),
          repetitions_(connection_),
          errors_(connection_) {
        refresh();
    }

    StoreInfo info() override;
    GameId last_game() override { return last_game_; }
    bool has_game(GameId game) override {
        return game >= 1 && game <= last_game_ && !deleted_.contains(game);
    }
    std::unique_ptr<CandidateCursor> candidates(std::uint64_t key, const GameFilter& only) override;
    void for_each_candidate_group(
        std::uint64_t key, const GameFilter& only,
        const std::function<void(std::span<const Candidate>)>& visit) override;
    PositionOverview overview(std::uint64_t key) override;
    std::vector<GameId> games_with_variations(std::uint64_t key) override;
    std::vector<GameRange> games_with_indexed_variations() override;
    codec::GameFacts facts(GameId game) override { return facts_.at(game); }
    codec::GameRanks ranks(GameId game) override;
    std::vector<codec::GameSignature> signatures(const GameRange& games) override;
    std::vector<GameId> possible_games(const GameRange& games,
                                       std::span<const codec::SignatureCondition> any_of,
                                       const GameFilter& only) override;
    bool may_have_variants() override {
        return connection_.integer(kSelectVariantShape).has_value();
    }
    std::vector<StoredSource> sources() override;
    void for_each_error(const std::function<bool(const StoredError&)>& visit) override {
        errors_.for_each(visit);
    }
    std::optional<std::string> broken_game(std::int64_t error) override {
        return errors_.broken_game(error);
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
                             "without the right to write beside it: open it again");
    }

    void load() {
        require_same_format(connection_);
        deleted_.load();
        segments_.load();
        variations_.load();
        signatures_.forget();
        ranks_.clear();
        const std::uint64_t games = meta("games");
        const GameId last = meta("last_game");
        if (last > static_cast<std::uint64_t>(most_rows(connection_)) || games > last ||
            segments_.indexed_games() > last) {
            throw DamageError(connection_.path() + ": damaged: the number of games");
        }
        game_count_ = games;
        last_game_ = last;
        annotated_ = meta("annotated_games") != 0;
    }

    std::uint64_t meta(const std::string& name) {
        return static_cast<std::uint64_t>(
            connection_.integer("SELECT value FROM main.meta WHERE name = '" + name + "'")
                .value_or(0));
    }

    template <typename Visit>
    void for_each_signature(const GameRange& games, Visit visit);
    void scan_unindexed(std::uint64_t key, std::vector<Candidate>& out);
    KeyPostings find_all(std::uint64_t key);

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
    Statement select_sources_;
    GameReader games_;
    StoredGame game_;  // passed to the visitor of games()
    DeletedGames deleted_;
    SegmentReader segments_;
    SegmentReader variations_;
    FactReader facts_;
    std::unordered_map<GameId, codec::GameRanks> ranks_;  // of games for which ranks() was called
    SignatureReader signatures_;
    AnnotationReader annotations_;
    ColumnReader columns_;
    std::shared_ptr<SnapshotCache> snapshot_cache_;
    std::uint64_t game_count_ = 0;
    GameId last_game_ = 0;
    bool annotated_ = false;  // any game has annotations
    RepetitionReader repetitions_;
    ErrorReader errors_;
};

/// Replays the games that are in no segment, because their import was killed, and adds the
/// positions with this key.
void SqliteReader::scan_unindexed(std::uint64_t key, std::vector<Candidate>& out) {
    if (segments_.indexed_games() == last_game_) return;
    for_each_moves(segments_.indexed_games() + 1, [&](GameId game, const StoredMoves& moves) {
        replay::with_walk(game, moves, [&](auto& at) {
            for (;; at.advance()) {
                if (at.position().key() == key) out.push_back({game, at.ply(), at.next_move()});
                if (at.at_end()) break;
            }
        });
        return true;
    });
}

/// Returns the games whose variations may have this key. Includes all annotated games of an import
/// that was killed before it indexed their variations.
std::vector<GameId> SqliteReader::games_with_variations(std::uint64_t key) {
    std::vector<GameId> games;
    variations_.for_each_group(key, variations_.find(key), [&](std::span<const Candidate> group) {
        for (const Candidate& each : group) games.push_back(each.game);
    });
    if (const GameId first = meta("variations_from"); first != 0) {
        for_each_annotation(first, [&](GameId game, std::string_view) {
            games.push_back(game);
            return true;
        });
    }
    std::sort(games.begin(), games.end());
    games.erase(std::unique(games.begin(), games.end()), games.end());
    return games;
}

std::vector<GameRange> SqliteReader::games_with_indexed_variations() {
    std::vector<GameRange> ranges;
    for (const Segment& segment : variations_.segments()) {
        ranges.push_back({segment.first_game, segment.first_game + segment.shape.games - 1});
    }
    if (const GameId first = meta("variations_from"); first != 0) {
        ranges.push_back({first, last_game_});
    }
    return ranges;
}

KeyPostings SqliteReader::find_all(std::uint64_t key) {
    KeyPostings out = segments_.find(key);
    scan_unindexed(key, out.small);
    return out;
}

/// Ignores the filter: the caller, with its caches, evaluates it faster.
std::unique_ptr<CandidateCursor> SqliteReader::candidates(std::uint64_t key,
                                                          const GameFilter& /*only*/) {
    return segments_.merge(key, find_all(key));
}

void SqliteReader::for_each_candidate_group(
    std::uint64_t key, const GameFilter& /*only*/,
    const std::function<void(std::span<const Candidate>)>& visit) {
    segments_.for_each_group(key, find_all(key), visit);
}

/// Returns the sums of a big position. The summary counts its games from the segment's first game,
/// which is added here.
PositionSums sums_of(const BigPosition& position) {
    const GameId first = position.segment.first_game;
    const auto ids = [&](const std::vector<std::uint32_t>& numbers) {
        std::vector<GameId> games;
        games.reserve(numbers.size());
        for (const std::uint32_t number : numbers) games.push_back(first + number);
        return games;
    };
    PositionSums out;
    out.games = {first, first + position.segment.shape.games - 1};
    out.total = position.summary.total;
    for (const codec::GroupSummary& group : position.summary.groups) {
        if (group.tally.games == 0) continue;
        out.moves.push_back(
            {group.next, group.tally, ids(group.top_games), ids(group.recent_games)});
    }
    return out;
}

PositionOverview SqliteReader::overview(std::uint64_t key) {
    KeyPostings postings = find_all(key);
    PositionOverview out;
    sort_candidates(postings.small);
    out.candidates = std::move(postings.small);
    for (const BigPosition& position : postings.big) {
        // If all its games were deleted, the sums are zero.
        if (position.summary.total.games != 0) out.sums.push_back(sums_of(position));
    }
    return out;
}

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
    for (GameId game = games.first; game <= last;) {
        const std::uint64_t chunk = (game - 1) / codec::kGamesPerChunk;
        const std::uint64_t before = chunk * codec::kGamesPerChunk;
        const std::vector<codec::GameSignature> of_chunk = signatures_.chunk(chunk);
        if (of_chunk.size() !=
            std::min<std::uint64_t>(codec::kGamesPerChunk, last_game_ - before)) {
            throw DamageError(connection_.path() + ": damaged: signatures do not match the games");
        }
        for (; game <= last && game - before <= of_chunk.size(); ++game) {
            visit(game, of_chunk[game - before - 1]);
        }
    }
}

std::vector<codec::GameSignature> SqliteReader::signatures(const GameRange& games) {
    std::vector<codec::GameSignature> out;
    for_each_signature(games,
                       [&](GameId, const codec::GameSignature& each) { out.push_back(each); });
    return out;
}

std::vector<GameId> SqliteReader::possible_games(const GameRange& games,
                                                 std::span<const codec::SignatureCondition> any_of,
                                                 const GameFilter& /*only*/) {
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
    const std::unique_ptr<CandidateCursor> cursor = candidates(key, {});
    Candidate candidate;
    GameId game = 0;
    std::uint32_t postings = 0;
    const auto visit_game = [&] {
        if (postings < std::max(min_count, 2U)) return true;
        const std::optional<Repetition> found = repetitions_.find(game, key);
        return !found || found->plies.size() < min_count || visit(*found);
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

std::vector<StoredSource> SqliteReader::sources() {
    std::vector<StoredSource> out;
    const ResetAtEnd reset(select_sources_);
    const Statement& row = select_sources_;
    const auto number = [&](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
    const auto optional = [&]<typename Value>(int column, Value value) {
        return row.is_null(column) ? std::nullopt : std::optional(value(column));
    };
    const auto text = [&](int column) { return std::string(row.text(column)); };
    const auto time = [&](int column) { return row.integer(column); };
    while (select_sources_.step()) {
        StoredSource& source = out.emplace_back();
        source.id = row.integer(0);
        source.file = {text(1), optional(2, number), optional(3, time)};
        source.first_byte = number(4);
        source.progress = {number(5),
                           text(6),
                           {number(7), number(8), text(9)},
                           optional(10, number),
                           row.integer(11) != 0,
                           std::string(row.blob(20))};
        source.first_game = number(12);
        source.games = number(13);
        source.duplicates = number(14);
        source.plies = number(15);
        source.errors = number(16);
        source.started = row.integer(17);
        source.finished = optional(18, time);
        source.options = text(19);
    }
    return out;
}

StoreInfo SqliteReader::info() {
    StoreInfo info;
    info.games = game_count_;
    info.plies = meta("plies");
    info.positions = meta("positions");
    info.fingerprint = meta("fingerprint");
    info.distinct_positions = segments_.distinct_positions();
    info.index_pieces = segments_.segments().size();
    info.last_game = last_game();
    info.postings = segments_.postings();
    info.postings_written = meta("postings_written");
    info.unindexed_games =
        last_game_ - segments_.indexed_games() - deleted_.count_from(segments_.indexed_games() + 1);
    info.annotated_games = meta("annotated_games");
    info.annotation_bytes = meta("annotation_bytes");
    const auto number = [&](std::string_view sql) {
        return static_cast<std::uint64_t>(connection_.integer(sql).value_or(0));
    };
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

std::unique_ptr<StoreReader> open_sqlite_reader(const std::string& path,
                                                std::shared_ptr<SharedCaches> shared,
                                                std::size_t cache_bytes) {
    Connection connection = open_database(path, Connection::Mode::kReadOnly);
    connection.run("PRAGMA cache_size = -" + std::to_string(cache_bytes / 1024));
    return std::make_unique<SqliteReader>(std::move(connection), SqliteReader::Snapshot::kOwn,
                                          std::move(shared));
}

std::unique_ptr<StoreReader> open_sqlite_reader(sqlite3* borrowed) {
    Connection connection(borrowed);
    require_fendex(connection);
    return std::make_unique<SqliteReader>(std::move(connection),
                                          SqliteReader::Snapshot::kOfTheStatement, nullptr);
}

}  // namespace fendex::store
