#include "store/sqlite/writer/writer.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <utility>
#include <vector>

#include "schema_sql.hpp"
#include "store/fingerprint.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file/memory_shares.hpp"
#include "store/sqlite/index/indexing.hpp"
#include "store/sqlite/index/reindex.hpp"
#include "store/sqlite/reader/reader.hpp"
#include "store/sqlite/segments/segment_table.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/sums/row_sums.hpp"
#include "store/sqlite/tables/annotation_table.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/deleted_games.hpp"
#include "store/sqlite/tables/derived_marks.hpp"
#include "store/sqlite/tables/error_table.hpp"
#include "store/sqlite/tables/game_reader.hpp"
#include "store/sqlite/tables/game_table.hpp"
#include "store/sqlite/tables/ply_rows_source.hpp"
#include "store/sqlite/tables/repetition_table.hpp"
#include "store/sqlite/tables/source_table.hpp"
#include "store/sqlite/writer/game_remover.hpp"
#include "store/sqlite/writer/maintenance_plan.hpp"
#include "store/sqlite/writer/shrink.hpp"
#include "store/sqlite/writer/writer_connection.hpp"
#include "store/sqlite/writer/writer_lock.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

namespace {

// Unchanged values are not written, because most commits add only blocks.
constexpr char kSetMeta[] =
    "INSERT INTO meta(name, value) VALUES (?1, ?2)"
    " ON CONFLICT(name) DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value";

class SqliteWriter final : public SegmentedWriter {
  public:
    SqliteWriter(const std::string& path, std::string_view purpose, std::shared_ptr<void> open)
        : open_(std::move(open)),
          lock_(std::make_unique<WriterLock>(path, purpose)),
          is_new_(!std::filesystem::exists(path)),
          connection_(open_for_writing(path)),
          new_ply_rows_(connection_),
          games_(connection_),
          chunks_(connection_),
          annotations_(connection_),
          repetitions_(connection_),
          segments_(connection_),
          sums_(connection_),
          errors_(connection_, sums_.errors()),
          sources_(connection_, sums_.sources()),
          set_meta_(connection_, kSetMeta) {
        begin();
        load_state();
        remove_remains();
    }

    ~SqliteWriter() override = default;

    GameId next_game() const override { return totals_.last_game + 1; }
    std::optional<PlyRows> ply_rows() const override { return ply_rows_; }

    void choose_ply_rows(PlyRows rows) override {
        put_meta("ply_rows", std::string_view(rows == PlyRows::kYes ? "yes" : "no"));
        if (rows == PlyRows::kYes) connection_.run(sql::kPlySql);
        load_ply_rows();
    }

    UnindexedGames unindexed() override {
        const GameId last = segments_.last_game();
        return {last + 1, totals_.last_game - last};
    }

    void begin_source(const SourceFile& file, const std::string& options,
                      std::uint64_t first_byte) override {
        sources_.begin(file, options, next_game(), first_byte);
    }

    void continue_source(const StoredSource& source, const SourceFile& file,
                         const std::string& options) override {
        StoredSource kept = source;
        if (source.errors != 0) {
            kept.errors -= remove_errors(source.id, source.progress.resume.byte);
        }
        if (kept.games == 0) kept.first_game = next_game();
        const bool same_name = source.file.path == file.path;
        if (same_name && !kept.progress.open_game && kept.first_game + kept.games == next_game()) {
            sources_.go_on(kept, file);
            return;
        }
        if (const auto open = source.progress.open_game) remove_games({&*open, 1});
        sources_.end_at_checkpoint(kept);
        // The rest of its file was not read, so size and time are dropped: the file must be read
        // again.
        if (!same_name && !source.progress.complete) {
            sources_.set_file(source.id, {source.file.path, std::nullopt, std::nullopt});
        }
        sources_.begin(file, options, next_game(), source.progress.resume.byte);
    }

    void update_source(const SourceProgress& progress) override { sources_.update(progress); }

    SourceCounts source_counts() const override {
        const StoredSource& source = sources_.current();
        return {source.games, source.duplicates, source.plies};
    }
    std::int64_t source() const override { return sources_.current().id; }

    RemovedGames retract(const SourceCounts& counts, const SourceProgress& progress) override {
        chunks_.flush();
        annotations_.flush();
        const StoredSource source = sources_.current();
        const GameId first = source.first_game + counts.games;
        if (const GameId variations = segments_.remove_from(first, sums_.segments());
            variations != 0) {
            const GameId from = variations_from();
            set_variations_from(from == 0 ? variations : std::min(from, variations));
        }
        replaced_ = true;
        std::vector<GameId> games(next_game() - first);
        std::iota(games.begin(), games.end(), first);
        const RemovedGames removed = remove_games(games);
        DeletedGames deleted(connection_);
        deleted.load();
        deleted.forget_from(first);
        chunks_.cut(first - 1);
        totals_.last_game = first - 1;
        sources_.retract(counts, progress, remove_errors(source.id, progress.resume.byte));
        return removed;
    }

    RemovedGames retract_row(const StoredSource& source) override {
        std::vector<GameId> games(source.games);
        std::iota(games.begin(), games.end(), source.first_game);
        const RemovedGames removed = remove_games(games);
        sources_.forget_text(source, remove_errors(source.id, 0));
        return removed;
    }

    void set_source_file(std::int64_t source, const SourceFile& file) override {
        sources_.set_file(source, file);
    }

    GameId add(NewGames batch) override {
        const GameId first = next_game();
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            if (marks_[i] != kDerivedMarks[i].ours()) marks_[i] = 0;
        }
        for (const NewGame& game : batch.games) {
            games_.insert(next_game(), batch, game);
            chunks_.add({game.facts, game.signature, games_.codes()});
            if (game.annotation.size != 0) {
                annotations_.insert(next_game(), game.annotation.of(batch.annotations));
            }
            ++totals_.last_game;
        }
        totals_.games += batch.games.size();
        insert_repetitions(batch, first);
        for (const NewError& each : batch.errors) {
            errors_.insert(sources_.current().id,
                           each.game ? std::optional(first + *each.game) : std::nullopt,
                           each.error);
        }
        if (!batch.ply_rows.rows.empty()) insert_ply_rows(batch, first);
        totals_.plies += batch.count_plies();
        totals_.positions += batch.count_positions();
        totals_.errors += batch.errors.size();
        totals_.fingerprint += fingerprint_of(batch, first);
        sources_.count(batch);
        if (indexing_) indexing_->add(first, std::move(batch));
        return first;
    }

    void add_ply_rows(std::span<const GamePlyRows> games, const PlyRowList& rows) override {
        new_ply_rows_.set(games, rows);
        insert_plies_->run();
    }

    codec::GameFacts facts(GameId game) override { return chunks_.facts(game); }

    bool game(GameId game, StoredGame& out) override {
        if (!stored_games_) stored_games_.emplace(connection_);
        return stored_games_->game(game, out);
    }

    RemovedGames remove_games(std::span<const GameId> games) override {
        GameRemover remover(connection_, chunks_, sums_.errors());
        const RemovedGames removed = remover.remove(games, totals_.last_game);
        games_.set_names_sum(games_.names_sum() - remover.removed_names_sum());
        for (const GameId game : games) annotations_.remove(game);
        games_.forget_names();
        stored_games_.reset();
        totals_.games -= removed.games;
        totals_.plies -= removed.plies;
        totals_.positions -= removed.positions;
        totals_.fingerprint -= removed.fingerprint;
        return removed;
    }

    std::vector<SegmentRecord> segments(SegmentKind kind) override { return segments_.all(kind); }
    std::int64_t begin_segment() override { return segments_.begin(); }
    void add_block(std::uint64_t first_key, unsigned part, std::string_view data) override {
        segments_.add_block(first_key, part, data);
    }
    void put_segments(std::span<const SegmentRecord> segments) override {
        segments_.put(segments, sums_.segments());
        for (const SegmentRecord& segment : segments) totals_.postings_written += segment.postings;
        replaced_ = true;
    }

    GameId variations_from() override { return meta("variations_from"); }
    void set_variations_from(GameId game) override { put_meta("variations_from", as_signed(game)); }

    void commit() override {
        chunks_.flush();
        annotations_.flush();
        put_meta("annotated_games", as_signed(annotations_.totals().games));
        put_meta("annotation_bytes", as_signed(annotations_.totals().bytes));
        put_meta("games", as_signed(totals_.games));
        put_meta("last_game", as_signed(totals_.last_game));
        put_meta("plies", as_signed(totals_.plies));
        put_meta("positions", as_signed(totals_.positions));
        put_meta("errors", as_signed(totals_.errors));
        put_meta("fingerprint", as_signed(totals_.fingerprint));
        put_meta("postings_written", as_signed(totals_.postings_written));
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            put_meta(kDerivedMarks[i].meta, as_signed(marks_[i]));
        }
        sums_.put(games_.names_sum());
        connection_.run("COMMIT");
        begin();
        if (std::exchange(replaced_, false)) remove_remains();
    }

    void rollback() override {
        connection_.run("ROLLBACK");
        // begin() must not compare the counters: they include what was undone.
        version_.reset();
        begin();
        games_.forget_names();
        stored_games_.reset();
        replaced_ = false;
        segments_.abandon();
        load_state();
    }

    void begin_index(const IndexOptions& options) override {
        chunks_.limit_facts(facts_memory(options.memory_bytes));
        games_.limit_names(names_memory(options.memory_bytes));
        indexing_.emplace(connection_.path(), options, *this);
        indexing_->write_variations();
        indexing_->take_leftovers();
        // The last game of a source that goes on may be taken back. It must not wait for a segment
        // then, because its values would be in the segment's sums.
        const auto open_game = connection_.integer("SELECT max(open_game) FROM source");
        const bool waits = static_cast<GameId>(open_game.value_or(0)) >= unindexed().first;
        if (waits && has_unindexed()) indexing_->write();
        if (options.variations) set_variations_from(next_game());
    }
    void restart_index() override { indexing_->begin_again(); }
    void help_index(unsigned thread) override { indexing_->sort_added(thread); }
    bool index_is_due() const override { return indexing_->due(); }
    bool has_unindexed() const override { return !indexing_->empty(); }
    void write_index() override { indexing_->write(); }
    void write_variations() override { indexing_->write_variations(); }

    bool maintain(const Maintenance& request) override {
        const auto stop = [&] { return request.stop && request.stop(); };
        if (request.reindex && !make_index(request, stop)) return false;
        if (request.drop_ply_rows) drop_ply_rows();
        if (!request.vacuum && !request.drop_ply_rows) return true;
        if (request.progress) request.progress(Maintenance::Phase::kVacuum, 0);
        if (vacuum(stop)) return true;
        rollback();
        return false;
    }

    MaintenancePlan plan_maintenance(std::size_t memory_bytes) override {
        return store::plan_maintenance(open_sqlite_reader(connection_.path())->info(),
                                       memory_bytes);
    }

    void close() override {
        empty_log();
        lock_.reset();
    }

    bool close_unless_unused() override {
        const bool unused = is_new_ && connection_.integer("SELECT count(*) FROM source") == 0;
        empty_log();
        const bool removed = unused && make_one_file();
        if (removed) std::filesystem::remove(std::filesystem::canonical(connection_.path()));
        lock_.reset();
        return !removed;
    }

  private:
    struct Totals {
        std::uint64_t games = 0;
        GameId last_game = 0;
        std::uint64_t plies = 0;
        std::uint64_t positions = 0;
        std::uint64_t errors = 0;
        std::uint64_t fingerprint = 0;
        std::uint64_t postings_written = 0;

        bool operator==(const Totals&) const = default;
    };

    struct Stopped {};

    bool make_index(const Maintenance& request, const std::function<bool()>& stop) {
        ReindexOptions options;
        options.threads = request.threads;
        options.memory_bytes = request.memory_bytes;
        options.variations = request.variations;
        options.progress = [&](double share) {
            if (stop()) throw Stopped();
            if (request.progress) request.progress(Maintenance::Phase::kIndexing, share);
        };
        try {
            reindex(connection_.path(), *this, options);
        } catch (const Stopped&) {
            rollback();
            return false;
        }
        if (request.variations) set_variations_from(0);
        commit();
        return true;
    }

    void drop_ply_rows() {
        insert_plies_.reset();
        connection_.run("DROP TABLE ply");
        choose_ply_rows(PlyRows::kNo);
    }

    /// Commits, then rewrites the file without its free pages.
    bool vacuum(const std::function<bool()>& stop) {
        commit();
        connection_.run("COMMIT");
        const bool done = shrink(connection_, stop);
        begin();
        return done;
    }

    /// Commits and empties the log. Never waits: if others are reading, the last of them empties
    /// it.
    void empty_log() {
        sums_.put(games_.names_sum());
        connection_.run("COMMIT");
        insert_plies_.reset();
        connection_.run("PRAGMA busy_timeout = 0");
        try {
            connection_.text("PRAGMA wal_checkpoint(TRUNCATE)");
        } catch (const StoreError&) {
            // Nothing is lost: the commits are in the log.
        }
    }

    /// Removes the log, so that the database is one file. Returns false if others have it open.
    bool make_one_file() {
        try {
            return connection_.text("PRAGMA journal_mode = DELETE") == "delete";
        } catch (const StoreError&) {
            return false;
        }
    }

    std::uint64_t meta(const std::string& name) {
        return static_cast<std::uint64_t>(
            connection_.integer("SELECT value FROM meta WHERE name = '" + name + "'").value_or(0));
    }

    /// Begins a transaction. Throws StoreError if another program has changed the games since the
    /// last one: the writer's lock does not stop other programs that use SQLite.
    void begin() {
        connection_.run("BEGIN IMMEDIATE");
        const std::optional<std::int64_t> version = connection_.integer("PRAGMA data_version");
        if (version_ && version != version_) {
            const Totals known = totals_;
            games_.forget_names();
            load_state();
            if (totals_ != known) {
                throw StoreError(
                    StoreError::kOther,
                    connection_.path() +
                        ": another program has changed its games while they were being "
                        "written; what was committed before is stored");
            }
        }
        version_ = version;
    }

    void load_state() {
        totals_ = {meta("games"),  meta("last_game"),   meta("plies"),           meta("positions"),
                   meta("errors"), meta("fingerprint"), meta("postings_written")};
        if (totals_.last_game > static_cast<std::uint64_t>(most_rows(connection_)) ||
            totals_.games > totals_.last_game) {
            throw DamageError(connection_.path() +
                              ": damaged: the number of games; run `fendex repair " +
                              connection_.path() + "`");
        }
        sums_.load();
        games_.set_names_sum(sums_.names());
        for (std::size_t i = 0; i < marks_.size(); ++i) {
            const DerivedMark& mark = kDerivedMarks[i];
            marks_[i] = totals_.last_game == 0 ? mark.ours() : meta(mark.meta);
        }
        segments_.require_sound(totals_.last_game);
        chunks_.begin(totals_.last_game);
        annotations_.begin({meta("annotated_games"), meta("annotation_bytes")});
        load_ply_rows();
    }

    void remove_remains() {
        while (segments_.remove_remains()) {
            connection_.run("COMMIT");
            begin();
        }
    }

    void load_ply_rows() {
        const auto value = connection_.text("SELECT value FROM meta WHERE name = 'ply_rows'");
        ply_rows_ = !value            ? std::nullopt
                    : *value == "yes" ? std::optional(PlyRows::kYes)
                                      : std::optional(PlyRows::kNo);
        if (ply_rows_ == PlyRows::kYes && !insert_plies_)
            insert_plies_.emplace(connection_, PlyRowsSource::kInsert);
        if (ply_rows_ != PlyRows::kYes) insert_plies_.reset();
    }

    template <typename Value>
    void put_meta(std::string_view name, Value value) {
        set_meta_.bind(1, name);
        set_meta_.bind(2, value);
        set_meta_.run();
    }

    std::uint64_t remove_errors(std::int64_t source, std::uint64_t resume_byte) {
        const std::uint64_t removed = errors_.remove(source, resume_byte);
        totals_.errors -= removed;
        return removed;
    }

    void insert_repetitions(const NewGames& batch, GameId first) {
        GameId id = first;
        for (const NewGame& game : batch.games) {
            for (const auto& each : game.repetitions.of(batch.repetitions)) {
                repetitions_.insert(id, each);
            }
            ++id;
        }
        id = first;
        for (const NewGame& game : batch.games) {
            for (const auto& each : game.quiet_runs.of(batch.quiet_runs)) {
                repetitions_.insert(id, each);
            }
            ++id;
        }
    }

    void insert_ply_rows(const NewGames& batch, GameId first) {
        std::vector<GamePlyRows> games;
        for (const NewGame& game : batch.games) {
            games.push_back({first + games.size(), game.ply_rows});
        }
        add_ply_rows(games, batch.ply_rows);
    }

    static std::uint64_t fingerprint_of(const NewGames& batch, GameId first) {
        std::uint64_t sum = 0;
        GameId id = first;
        for (const NewGame& game : batch.games) {
            const GameFingerprint terms(id++);
            std::uint32_t ply = 0;
            for (const NewPosition& each : game.positions.of(batch.positions)) {
                sum += terms.term(ply++, each.key);
            }
        }
        return sum;
    }

    std::shared_ptr<void> open_;        // only kept alive
    std::unique_ptr<WriterLock> lock_;  // destroyed last
    bool is_new_;
    Connection connection_;
    std::optional<std::int64_t> version_;  // changes with commits of other connections
    PlyRowsSource new_ply_rows_;
    GameTable games_;
    std::optional<GameReader> stored_games_;  // opened when needed
    ChunkTables chunks_;
    std::array<std::uint64_t, kDerivedMarks.size()> marks_{};  // those of the database
    AnnotationWriter annotations_;
    RepetitionTable repetitions_;
    SegmentTable segments_;
    RowSums sums_;
    ErrorTable errors_;
    SourceTable sources_;
    Statement set_meta_;
    std::optional<Statement> insert_plies_;
    std::optional<Indexing> indexing_;

    Totals totals_;
    bool replaced_ = false;  // a segment was replaced since the last commit
    std::optional<PlyRows> ply_rows_;
};

}  // namespace

std::unique_ptr<SegmentedWriter> open_sqlite_writer(const std::string& path,
                                                    std::string_view purpose,
                                                    std::shared_ptr<void> open) {
    return std::make_unique<SqliteWriter>(path, purpose, std::move(open));
}

}  // namespace fendex::store
