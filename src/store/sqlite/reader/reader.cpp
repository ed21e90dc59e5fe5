#include "store/sqlite/reader/reader.hpp"

#include <algorithm>

#include "store/sqlite/engine/engine.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/reader/sqlite_reader.hpp"
#include "store/sqlite/tables/derived_marks.hpp"
#include "store/sqlite/tables/name_alias_table.hpp"

namespace fendex::store {

namespace {

/// Selects whether there may be a tag. Reads few rows: there are few different lists of tag names.
constexpr char kSelectShapeWith[] = "SELECT 1 FROM main.tag_shape WHERE instr(name, ?1) LIMIT 1";

/// The number of ranks that are kept; they take some 2 MiB.
constexpr std::size_t kMostKeptRanks = 50'000;

}  // namespace

SqliteReader::SqliteReader(Connection connection, Snapshot kind,
                           std::shared_ptr<SharedCaches> shared,
                           std::shared_ptr<IdleSnapshots> idle, std::size_t value_bytes)
    : engine_(std::make_unique<LocalEngine>(*this)),
      connection_(std::move(connection)),
      kind_(kind),
      shared_(std::move(shared)),
      idle_(std::move(idle)),
      value_bytes_(value_bytes),
      begin_(connection_, "BEGIN"),
      end_(connection_, "COMMIT"),
      select_format_(connection_, "PRAGMA main.user_version"),
      games_(connection_),
      deleted_(connection_),
      annotations_(connection_),
      segments_(connection_, SegmentKind::kMainLine, deleted_),
      variations_(connection_, SegmentKind::kVariations, deleted_),
      signatures_(connection_, value_bytes),
      facts_(connection_, value_bytes),
      player_lists_(connection_),
      repetitions_of_game_(connection_, kSelectRepetitions),
      runs_of_game_(connection_, kSelectRuns),
      records_(connection_) {
    if (connection_.format() >= kCodesFormat) {
        players_.emplace(connection_, value_bytes);
        names_.emplace(connection_, value_bytes);
    } else {
        row_codes_.emplace(connection_);
        row_facts_.emplace(connection_, GameReader::Verify::kYes);
    }
    if (connection_.format() >= kOpeningsFormat) openings_.emplace(connection_, value_bytes);
    if (idle_) {
        idle_->add_reader();
        shares_log_ = shares_log(connection_);
    }
    refresh();
}

SqliteReader::~SqliteReader() {
    if (idle_) idle_->forget(*this);
}

void SqliteReader::refresh() {
    if (idle_) round_ = idle_->use(*this);
    if (is_current()) return;
    is_loaded_ = false;
    renew();
    is_loaded_ = true;
}

void SqliteReader::release() {
    const bool can_rest = idle_ && is_begun_ && is_loaded_ && log_ && log_state(connection_);
    if (!can_rest || !idle_->rest(*this, round_)) end_snapshot();
}

/// Returns whether the reader has kept a snapshot and nothing was committed since it began. Needs
/// no system call.
bool SqliteReader::is_current() const {
    return idle_ && is_begun_ && is_loaded_ && log_ && log_state(connection_) == log_ &&
           shares_ == (shared_ && shared_->is_sharing());
}

void SqliteReader::renew() {
    end_snapshot();
    require_current();
    if (kind_ == Snapshot::kOwn) begin();
    const bool has_news = connection_.data_version() != seen_;
    const bool shares = shared_ && shared_->is_sharing();
    if (!has_news && shares == shares_) return;
    SnapshotCaches caches;
    if (shares) {
        end_snapshot();
        caches = shared_->of_snapshot([this] {
            end_snapshot();
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
    if (players_) players_->use(caches.player_codes);
    if (names_) names_->use(caches.name_codes);
    if (openings_) openings_->use(caches.opening_codes);
    if (swings_) swings_->use(caches.swings);
    snapshot_cache_ = caches.results;
    require_current();  // the caches may be those of a newer snapshot
}
/// Begins a snapshot. It begins with the first statement that reads, not with BEGIN.
void SqliteReader::begin() {
    begin_.run();
    is_begun_ = true;
    log_.reset();
    const auto before = shares_log_ ? log_state(connection_) : std::nullopt;
    select_format_.run();
    if (before && log_state(connection_) == before) log_ = before;
}

void SqliteReader::require_current() {
    if (!connection_.is_outdated()) return;
    seen_.reset();
    throw StoreError(StoreError::kUpgraded,
                     connection_.path() +
                         ": another program has written it, which this reader cannot see "
                         "without permission to write beside it: open it again");
}

void SqliteReader::load() {
    require_same_format(connection_);
    deleted_.load();
    const std::uint64_t games = meta("games");
    const GameId last = meta("last_game");
    segments_.load();
    variations_.load();
    variations_from_ = meta("variations_from");
    signatures_.forget();
    records_.load();
    ranks_.clear();
    swings_.reset();
    if (has_swing_table(connection_)) swings_.emplace(connection_, value_bytes_);
    has_joined_names_ = has_alias_table(connection_);
    has_loaded_lists_ = false;
    if (last > static_cast<std::uint64_t>(most_rows(connection_)) || games > last ||
        segments_.indexed_games() > last) {
        connection_.throw_damaged("the number of games");
    }
    game_count_ = games;
    last_game_ = last;
    annotated_ = meta("annotated_games") != 0;
}

/// Games of another variant have one of these tags (replay/game_start.hpp).
bool SqliteReader::may_have_variants() { return may_have_tag("Variant") || may_have_tag("FEN"); }

bool SqliteReader::may_have_tag(std::string_view part) {
    Statement shape(connection_, kSelectShapeWith);
    shape.bind(1, part);
    return shape.step();
}

/// Reads the game's row, which is much smaller than its chunk of facts, unless the chunk is there.
codec::GameRanks SqliteReader::ranks(GameId game) {
    if (facts_.has_cached(game)) return codec::ranks_of(facts_.at(game));
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
        if (std::ranges::any_of(any_of, may_hold) && has_game(game)) {
            out.push_back(game);
        }
    });
    return out;
}

bool SqliteReader::has_current_facts() {
    return connection_.format() >= kSealedFormat && openings_ &&
           meta(kOpeningsMark.meta) == kOpeningsMark.ours &&
           meta(kTagFactsMark.meta) == kTagFactsMark.ours;
}

std::shared_ptr<GameRows> SqliteReader::rows(const GameRange& games) {
    if (!has_current_facts()) return nullptr;
    auto out = std::make_shared<CopiedRows>();
    games_.copy_rows(games, *out);
    return out;
}

StoreInfo SqliteReader::info() {
    const GameId indexed = segments_.indexed_games();
    StoreInfo info;
    info.games = game_count_;
    info.plies = meta("plies");
    info.positions = meta("positions");
    info.fingerprint = meta("fingerprint");
    info.index_pieces = segments_.segments().size();
    info.last_game = last_game();
    for (const SegmentRecord& segment : segments_.segments()) {
        info.distinct_positions += segment.positions;
        info.postings += segment.postings;
    }
    info.postings_written = meta("postings_written");
    info.unindexed_games = last_game_ - indexed - deleted_.count_from(indexed + 1);
    info.annotated_games = meta("annotated_games");
    info.annotation_bytes = meta("annotation_bytes");
    info.records = records_.count();
    info.record_runs = records_.runs();
    const auto number = [&](std::string_view sql) { return connection_.number(sql); };
    info.sources = number("SELECT count(*) FROM main.source");
    if (connection_.format() >= kSealedFormat) {
        info.warnings = number("SELECT count(*) FROM main.import_error WHERE severity = 1");
    }
    info.errors = meta("errors") - std::min(meta("errors"), info.warnings);
    info.joined_names = meta(kJoinedNamesMeta);
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

std::uint64_t SqliteReader::count_players() {
    return connection_.number("SELECT count(*) FROM main.player");
}

std::unique_ptr<LocalReader> open_sqlite_reader(const std::string& path,
                                                std::shared_ptr<SharedCaches> shared,
                                                const CacheSizes& caches,
                                                std::shared_ptr<IdleSnapshots> idle) {
    Connection connection = open_database(path, Connection::Mode::kReadOnly);
    connection.run("PRAGMA cache_size = -" + std::to_string(caches.reader_bytes / 1024));
    return std::make_unique<SqliteReader>(std::move(connection), SqliteReader::Snapshot::kOwn,
                                          std::move(shared), std::move(idle), caches.value_bytes);
}

std::unique_ptr<LocalReader> open_sqlite_reader(sqlite3* borrowed) {
    Connection connection(borrowed);
    require_fendex(connection);
    return std::make_unique<SqliteReader>(
        std::move(connection), SqliteReader::Snapshot::kOfTheStatement, nullptr, nullptr);
}

}  // namespace fendex::store
