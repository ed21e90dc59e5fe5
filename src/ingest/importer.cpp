#include "ingest/importer.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "base/ordered_pipeline.hpp"
#include "ingest/batch_reader.hpp"
#include "ingest/duplicate_filter.hpp"
#include "ingest/indexing.hpp"
#include "ingest/overlap_filter.hpp"
#include "ingest/source_ledger.hpp"
#include "ingest/task_source.hpp"
#include "pgn/byte_source.hpp"
#include "store/source_prefixes.hpp"
#include "store/store_reader.hpp"

namespace fendex::ingest {

namespace {

constexpr auto kTimePerCommit = std::chrono::seconds(30);

struct ReadTask {
    SourceTask task;
    store::NewGames games;
    std::vector<codec::Posting> postings;  // where duplicates are to be left out
};

class Import {
  public:
    Import(const std::string& database, const std::vector<std::string>& inputs,
           const ImportOptions& options)
        : database_(database),
          inputs_(inputs),
          options_(options),
          writer_(store::open_writer(database, "import")),
          indexing_(database, options.threads, options.memory_bytes, options.segment_postings,
                    *writer_, [this](double) { throw_if_stopped(); }) {}

    ImportSummary run() {
        try {
            choose_ply_rows();
            rows_ = store::open_reader(database_)->sources();
            indexing_.take_leftovers();
            index_open_games();
            indexing_.write_variations();
            if (options_.skip_duplicates) read_stored_games();
            if (options_.variations) writer_->set_variations_from(writer_->next_game());
            read_inputs();
            if (stopped()) {
                stop();
            } else {
                if (!indexing_.empty()) write_segment();
                indexing_.write_variations();
            }
            writer_->commit();
        } catch (const Stopped&) {
            // While indexing: the games are committed, and the next import indexes them.
            summary_.stopped = true;
            writer_->rollback();
        }
        overlap_.reset();  // it reads the database, which is to become one file
        summary_.has_database = writer_->close_unless_unused();
        return std::move(summary_);
    }

  private:
    struct Stopped {};
    using StoredRows = std::vector<store::StoredSource>;

    struct Counts {
        std::uint64_t games = 0;
        std::uint64_t plies = 0;
        std::uint64_t errors = 0;
        std::uint64_t warnings = 0;
        std::uint64_t duplicates = 0;
    };
    /// Up to where a source's text is what was compressed.
    struct Checked {
        store::SourceCounts source;
        pgn::Checkpoint checkpoint;
        Counts summary;
    };
    /// A source whose text is not what was compressed, as a checksum tells.
    struct WrongText {
        std::size_t source = 0;
        std::string failure;
        std::uint64_t byte = 0;
        std::uint64_t from = 0;  // in the text
    };

    void choose_ply_rows() {
        for (const std::string& input : inputs_) {
            sizes_.push_back(pgn::source_size(input));
            total_bytes_ += sizes_.back().value_or(0);
            streams_ |= !sizes_.back();
        }
        if (!writer_->ply_rows()) {
            const bool few = !streams_ && total_bytes_ <= kPlyRowsUpTo;
            const bool yes = options_.ply_rows == PlyRowChoice::kYes ||
                             (options_.ply_rows == PlyRowChoice::kAuto && few);
            writer_->choose_ply_rows(yes ? store::PlyRows::kYes : store::PlyRows::kNo);
        }
        summary_.ply_rows = *writer_->ply_rows();
        if ((options_.ply_rows == PlyRowChoice::kYes && summary_.ply_rows == store::PlyRows::kNo) ||
            (options_.ply_rows == PlyRowChoice::kNo && summary_.ply_rows == store::PlyRows::kYes)) {
            throw store::StoreError(database_ + ": was created with --ply-rows " +
                                    (summary_.ply_rows == store::PlyRows::kYes ? "yes" : "no") +
                                    ", which is fixed then");
        }
    }

    void read_stored_games() {
        duplicates_.emplace(*store::open_reader(database_), *writer_,
                            [this] { throw_if_stopped(); });
    }

    /// A game that may be taken away, because its source goes on, must not be among those whose
    /// postings wait for a segment: it would be in the segment's sums.
    void index_open_games() {
        const store::GameId first = writer_->unindexed().first;
        const bool waiting =
            std::any_of(rows_.begin(), rows_.end(), [&](const store::StoredSource& row) {
                return row.progress.open_game.value_or(0) >= first;
            });
        if (waiting && !indexing_.empty()) write_segment();
    }

    void read_inputs() {
        const std::optional<std::string> again =
            options_.again ? std::optional(options_.as_given) : std::nullopt;
        SourceLedger ledger(std::move(rows_), again, {options_.zstd_window_log, options_.stop});
        TaskSource source(inputs_, options_, std::move(ledger), writer_->next_game(),
                          summary_.ply_rows == store::PlyRows::kYes);
        std::vector<GameReplay> replays(options_.threads);
        last_commit_ = std::chrono::steady_clock::now();
        // Where a segment is due no more batches are begun, and those on their way are still for
        // it.
        const auto due = [&] { return !options_.strict && indexing_.due(); };
        while (true) {
            read_until(due, source, replays);
            if (wrong_text_) take_back(*std::exchange(wrong_text_, std::nullopt));
            if (source.waits()) {
                overlap_.reset();
                source.go_on(writer_->next_game(),
                             source.needs_stored() ? store_all() : StoredRows{});
                continue;
            }
            if (stopped() || !due()) break;
            write_segment();
        }
    }

    /// Returns the rows of the ledger; none if nothing may be committed.
    StoredRows store_all() {
        if (options_.strict || stopped()) return {};
        commit();
        // The games of a segment can be deleted, those that wait for one cannot.
        if (!indexing_.empty()) write_segment();
        return store::open_reader(database_)->sources();
    }

    template <typename Due>
    void read_until(Due due, TaskSource& source, std::vector<GameReplay>& replays) {
        base::run_ordered(
            options_.threads, options_.threads + 2,
            [&]() { return due() ? std::nullopt : source.next(); },
            [&](unsigned thread, SourceTask task) {
                ReadTask read{std::move(task), {}, {}};
                if (read.task.batch && (duplicates_ || read.task.overlaps)) {
                    read.games = read_batch(*read.task.batch, replays[thread], read.postings);
                } else if (read.task.batch) {
                    read.games =
                        read_batch(*read.task.batch, replays[thread], indexing_.feeder(thread));
                }
                return read;
            },
            [&](ReadTask read) { take(read); });
    }

    void write_segment() {
        report(ImportProgress::Phase::kIndexing);
        if (in_source_) writer_->update_source(progress_);
        if (!options_.strict) writer_->commit();
        indexing_.write_segment();
    }

    void take(ReadTask& read) {
        // The next import reads again what is on its way.
        leaves_rest_ = leaves_rest_ || stopped();
        if (leaves_rest_) return;
        const SourceTask& task = read.task;
        if (task.start) begin_source(task);
        if (!task.batch) return end_source(task);

        for (const store::NewGame& game : read.games.games) {
            source_has_games_ |= game.tags.size != 0 || game.facts.plies != 0;
        }
        if (duplicates_ || task.overlaps) leave_out_known(read);
        const std::uint64_t plies = read.games.positions;
        // A game whose end has not been seen would have to be taken back.
        if (!options_.strict && !progress_.open_game &&
            (plies_since_commit_ + plies > plies_per_commit() ||
             std::chrono::steady_clock::now() - last_commit_ > kTimePerCommit)) {
            commit();
        }
        for (const store::ImportError& error : read.games.errors) {
            if (options_.strict && !error.warning) fail_strictly(inputs_[task.source], error);
        }
        writer_->add(read.games);
        indexing_.count(read.games.games.size(), plies);
        plies_since_commit_ += plies;
        summary_.games += read.games.games.size();
        summary_.plies += read.games.plies;
        count_errors(read.games);
        read_on(task);
        offset_ = task.compressed_offset;
        report(ImportProgress::Phase::kReading);
    }

    /// Rows take thirty times the space: a commit of as many would take seconds.
    std::uint64_t plies_per_commit() const {
        return summary_.ply_rows == store::PlyRows::kYes ? options_.plies_per_commit / 16
                                                         : options_.plies_per_commit;
    }

    void begin_source(const SourceTask& task) {
        const SourceStart& start = *task.start;
        const std::string& path = inputs_[task.source];
        if (!start.notice.empty()) summary_.notices.push_back(path + ": " + start.notice);
        untouched_ = start.untouched;
        source_first_ = writer_->next_game();
        source_has_games_ = false;
        progress_ = {};
        source_begin_ = start.from.byte;
        if (untouched_) {
            const bool looks_different = start.row && start.row->id != 0 &&
                                         start.row->file.path == path &&
                                         start.row->file != start.file;
            if (looks_different) writer_->set_source_file(start.row->id, start.file);
        } else if (start.row) {
            writer_->continue_source(*start.row, start.file, options_.as_given);
            source_has_games_ = start.row->games != 0;
        } else {
            writer_->begin_source(start.file, options_.as_given, start.from.byte);
            source_has_games_ = start.from.byte != 0;
        }
        if (!start.inside.empty() && !duplicates_) {
            overlap_.emplace(database_, *writer_, start.inside, [this] { throw_if_stopped(); });
        }
        in_source_ = !untouched_;
        if (untouched_) return;
        if (start.from.byte != 0) progress_ = up_to(start.from);
        progress_.prefixes = start.prefixes;
        checked_ = {writer_->source_counts(), start.from, counts()};
        start_ = start;
    }

    /// Interrupted imports may have read text of the same archive that is wrong, too: into the row
    /// that is read on, and into others if something else was imported in between. Returns these.
    StoredRows find_wrong_rows(const WrongText& wrong) {
        const SourceStart& start = start_;
        const bool nothing_checked = checked_.checkpoint.byte == start.from.byte;
        if (wrong.from >= start.from.byte || !nothing_checked || !start.row) return {};
        StoredRows rows;
        const bool same_row = writer_->source() == start.row->id;
        const auto is_same_archive = [&](const store::StoredSource& row) {
            return start.file.size && row.file == start.file;
        };
        if (!same_row && !is_same_archive(*start.row)) return {};
        if (!same_row) rows.push_back(*start.row);
        const auto& before = start.rows_before;
        for (auto row = before.rbegin(); row != before.rend() && is_same_archive(*row); ++row) {
            rows.insert(rows.begin(), *row);
        }
        checked_ = {{}, begin_of(rows.empty() ? *start.row : rows.front()), checked_.summary};
        return rows;
    }

    static store::SourceProgress up_to(const pgn::Checkpoint& checkpoint) {
        store::SourceProgress progress;
        progress.bytes = checkpoint.byte;
        progress.digest = checkpoint.digest;
        progress.resume = checkpoint;
        return progress;
    }

    /// A batch has been stored.
    void read_on(const SourceTask& task) {
        std::string prefixes = std::move(progress_.prefixes);
        for (const pgn::Mark& mark : task.marks) store::add_prefix(prefixes, mark);
        progress_ = as_numbered(task.progress);
        progress_.prefixes = std::move(prefixes);
        if (task.checked && !progress_.open_game) {
            checked_ = {writer_->source_counts(), progress_.resume, counts()};
        }
    }

    /// No reader is at work on the postings here: they are fed by this thread.
    void leave_out_known(ReadTask& read) {
        const bool is_cut = read.task.progress.open_game.has_value();
        read.games.duplicates = duplicates_ ? duplicates_->apply(read.games, read.postings)
                                            : overlap_->apply(read.games, is_cut, read.postings);
        summary_.duplicates += read.games.duplicates;
        store::PostingSorter::Feeder& feeder = indexing_.feeder(0);
        for (const codec::Posting& posting : read.postings) feeder.add(posting);
    }

    void end_source(const SourceTask& task) {
        if (untouched_) {
            if (task.failure.empty()) {
                ++summary_.known_sources;
            } else {
                if (options_.strict) throw_undone(task.failure);
                summary_.failures.push_back(task.failure);
            }
            done_bytes_ += sizes_[task.source].value_or(0);
            return;
        }
        if (task.wrong_text) {
            if (options_.strict) throw_undone(task.failure);
            wrong_text_ = {task.source, task.failure, task.failure_byte, task.wrong_from};
            return;
        }
        const std::string& path = inputs_[task.source];
        std::string failure = task.failure;
        const bool nothing_stored = writer_->next_game() == source_first_;
        if (failure.empty() && !source_has_games_ && nothing_stored) {
            failure = path + ": no game found";
        }
        for (const std::string& problem : {failure, task.warning}) {
            if (problem.empty()) continue;
            if (options_.strict) throw_undone(problem);
            add_source_error(problem, task.failure_byte, problem == task.warning);
        }
        if (!failure.empty()) summary_.failures.push_back(failure);
        if (!task.warning.empty()) summary_.oddities.push_back(task.warning);
        summary_.text_bytes += task.progress.bytes - std::min(task.progress.bytes, source_begin_);
        store::SourceProgress progress = as_numbered(task.progress);
        progress.prefixes = std::move(progress_.prefixes);
        writer_->update_source(progress);
        leave_source(task.source);
    }

    void leave_source(std::size_t source) {
        done_bytes_ += sizes_[source].value_or(0);
        offset_ = 0;
        progress_ = {};
        source_begin_ = 0;
        in_source_ = false;
    }

    void add_source_error(const std::string& reason, std::uint64_t byte, bool warning = false) {
        store::NewGames nothing;
        nothing.first = writer_->next_game();
        store::ImportError& error = nothing.errors.emplace_back();
        error.byte = byte;
        error.reason = reason;
        error.warning = warning;
        writer_->add(nothing);
        count_errors(nothing);
    }

    /// What was read of it without having been checked, also in earlier commits, goes. No reader is
    /// at work.
    void take_back(const WrongText& wrong) {
        const StoredRows earlier = find_wrong_rows(wrong);
        store::SourceProgress kept = up_to(checked_.checkpoint);
        kept.prefixes = store::prefixes_up_to(progress_.prefixes, kept.bytes);
        std::uint64_t removed = writer_->take_back(checked_.source, kept).games;
        for (const store::StoredSource& row : earlier) {
            removed += writer_->take_back_row(row).games;
        }
        const std::string games = std::to_string(removed);
        const std::string failure = wrong.failure + "; what was read of the damaged part (" +
                                    games + (removed == 1 ? " game" : " games") +
                                    ") was taken back, --keep-damaged keeps it";
        count_from(checked_.summary);
        summary_.text_bytes += kept.bytes - std::min(kept.bytes, source_begin_);
        summary_.failures.push_back(failure);
        add_source_error(failure, wrong.byte);
        progress_ = kept;
        commit();
        leave_source(wrong.source);
        indexing_.begin_again();
        if (duplicates_) read_stored_games();
    }

    /// Games are numbered when they are read; if some are left out that changes.
    store::SourceProgress as_numbered(store::SourceProgress progress) const {
        if (!progress.open_game) return progress;
        if (duplicates_) progress.open_game = duplicates_->last_game();
        if (overlap_) progress.open_game = overlap_->last_game();
        return progress;
    }

    void count_errors(const store::NewGames& games) {
        for (const store::ImportError& error : games.errors) {
            ++(error.warning ? summary_.warnings : summary_.errors);
        }
    }

    bool stopped() const { return options_.stop && options_.stop(); }
    void throw_if_stopped() const {
        if (stopped()) throw Stopped();
    }

    void stop() {
        summary_.stopped = true;
        if (options_.strict || progress_.open_game) {
            writer_->rollback();
            count_from(committed_);
        } else {
            commit();
        }
    }

    Counts counts() const {
        return {summary_.games, summary_.plies, summary_.errors, summary_.warnings,
                summary_.duplicates};
    }

    void count_from(const Counts& counts) {
        summary_.games = counts.games;
        summary_.plies = counts.plies;
        summary_.errors = counts.errors;
        summary_.warnings = counts.warnings;
        summary_.duplicates = counts.duplicates;
    }

    void commit() {
        if (in_source_) writer_->update_source(progress_);
        writer_->commit();
        committed_ = counts();
        plies_since_commit_ = 0;
        last_commit_ = std::chrono::steady_clock::now();
    }

    [[noreturn]] void fail_strictly(const std::string& path, const store::ImportError& error) {
        std::string message = path;
        if (error.game) {
            message += ": game " + std::to_string(*error.game - source_first_ + 1) + ", line " +
                       std::to_string(error.line) + ", byte " + std::to_string(error.byte) +
                       ", after ply " + std::to_string(error.ply.value_or(0));
        } else if (error.line != 0) {
            message +=
                ": line " + std::to_string(error.line) + ", byte " + std::to_string(error.byte);
        }
        message += ": " + error.reason;
        if (!error.text.empty()) message += " (" + error.text + ")";
        throw_undone(message);
    }

    [[noreturn]] void throw_undone(const std::string& message) {
        writer_->rollback();
        writer_->close_unless_unused();
        throw ImportFailed(message + ": nothing was imported (--strict)");
    }

    void report(ImportProgress::Phase phase) {
        if (!options_.progress) return;
        options_.progress({phase, done_bytes_ + offset_, streams_ ? 0 : total_bytes_,
                           summary_.text_bytes + progress_.bytes - source_begin_, summary_.games});
    }

    const std::string& database_;
    const std::vector<std::string>& inputs_;
    const ImportOptions& options_;
    std::unique_ptr<store::StoreWriter> writer_;
    Indexing indexing_;
    std::optional<DuplicateFilter> duplicates_;
    std::optional<OverlapFilter> overlap_;   // of the source that is being read
    std::vector<store::StoredSource> rows_;  // of the ledger, as they are at the begin
    ImportSummary summary_;

    std::vector<std::optional<std::uint64_t>> sizes_;
    std::uint64_t total_bytes_ = 0;
    bool streams_ = false;
    std::uint64_t done_bytes_ = 0;  // of inputs that are finished
    std::uint64_t offset_ = 0;      // in the one that is being read
    bool in_source_ = false;
    store::GameId source_first_ = 1;
    bool source_has_games_ = false;  // with tags or moves
    bool untouched_ = false;         // nothing of it is read
    store::SourceProgress progress_;
    std::uint64_t source_begin_ = 0;  // where its text is read on
    Checked checked_;
    SourceStart start_;  // of the source that is being read
    std::optional<WrongText> wrong_text_;
    Counts committed_;
    std::uint64_t plies_since_commit_ = 0;
    bool leaves_rest_ = false;
    std::chrono::steady_clock::time_point last_commit_;
};

}  // namespace

ImportSummary import_files(const std::string& database, const std::vector<std::string>& inputs,
                           const ImportOptions& options) {
    return Import(database, inputs, options).run();
}

}  // namespace fendex::ingest
