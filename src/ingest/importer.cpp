#include "ingest/importer.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/counted.hpp"
#include "base/ordered_pipeline.hpp"
#include "ingest/batch_reader.hpp"
#include "ingest/duplicate_filter.hpp"
#include "ingest/input_bytes.hpp"
#include "ingest/known_positions.hpp"
#include "ingest/overlap_filter.hpp"
#include "ingest/record_lines.hpp"
#include "ingest/source_import.hpp"
#include "ingest/source_ledger.hpp"
#include "ingest/task_source.hpp"
#include "pgn/file_names.hpp"
#include "pgn/member_source.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::ingest {

namespace {

constexpr auto kTimePerCommit = std::chrono::seconds(30);
/// With ply rows a commit of the same number of plies would take seconds, because ply rows need
/// thirty times the space.
constexpr std::uint64_t kPlyRowsCost = 16;

/// The texts of batches in progress may take this share of the memory. The games read from a text
/// take a few times as much.
constexpr std::size_t kShareOfTexts = 8;

std::size_t bytes_of_text(const SourceTask& task) {
    const auto* const batch = std::get_if<SourceBatch>(&task);
    return batch == nullptr || !batch->task ? 0 : batch->task->batch.text.size();
}

/// A batch that a worker has read.
struct ReadBatch {
    SourceBatch batch;
    store::NewGames games;
    AnnotationCounts left_out;
};

/// What a worker keeps between batches.
class Worker {
  public:
    /// `store` has the games whose positions are known, if only their records are kept.
    ReadBatch read(SourceBatch batch, unsigned thread, bool ply_rows, store::Store* store) {
        const store::GameId first = batch.expected_first;
        ReadBatch out = read_games(std::move(batch), thread, ply_rows, store);
        out.games.count_as(first);
        return out;
    }

  private:
    ReadBatch read_games(SourceBatch batch, unsigned thread, bool ply_rows, store::Store* store) {
        if (batch.stored) {
            store::NewGames read = stored_.read(*batch.stored, thread, ply_rows);
            if (read.is_of_records) keep_known(read, store);
            return {std::move(batch), std::move(read), {}};
        }
        BatchTask& task = *batch.task;
        if (batch.kind == TextKind::kGames) {
            store::NewGames games = read_batch(task, replay_);
            return {std::move(batch), std::move(games), replay_.take_left_out()};
        }
        store::NewGames read = records_.read(task.batch, task.variant);
        keep_known(read, store);
        return {std::move(batch), std::move(read), {}};
    }

    void keep_known(store::NewGames& read, store::Store* store) {
        if (store == nullptr) return;
        if (!known_) known_.emplace(*store);
        known_->keep_known(read);
    }

    GameReplay replay_;
    RecordLineReader records_;
    StoredBatchReader stored_;
    std::optional<KnownPositions> known_;
};

using ReadTask = std::variant<BeginSource, ReadBatch, EndSource>;

/// Decides when the next commit is due.
class CommitPace {
  public:
    explicit CommitPace(std::uint64_t plies_per_commit) : plies_per_commit_(plies_per_commit) {}

    /// Returns whether to commit before `plies` more plies are stored.
    bool due(std::uint64_t plies) const {
        return plies_ + plies > plies_per_commit_ || Clock::now() - last_commit_ > kTimePerCommit;
    }
    void add(std::uint64_t plies) { plies_ += plies; }
    void committed() {
        plies_ = 0;
        last_commit_ = Clock::now();
    }

  private:
    using Clock = std::chrono::steady_clock;

    std::uint64_t plies_per_commit_;
    std::uint64_t plies_ = 0;  // since the last commit
    Clock::time_point last_commit_ = Clock::now();
};

class Import {
  public:
    Import(store::Store& store, const std::vector<std::string>& inputs,
           const ImportOptions& options)
        : store_(store),
          inputs_(inputs),
          options_(options),
          writer_(store.writer("import")),
          bytes_(inputs),
          pace_(options.plies_per_commit) {}

    ImportSummary run() {
        try {
            choose_ply_rows();
            std::vector<store::StoredSource> rows = store_.reader()->sources();
            index_ = writer_->begin_index({.threads = options_.threads,
                                           .memory_bytes = options_.memory_bytes,
                                           .piece_postings = options_.segment_postings,
                                           .variations = options_.variations,
                                           .progress = [this](double) { throw_if_stopped(); }});
            if (options_.skip_duplicates) read_stored_games();
            read_inputs(std::move(rows));
            if (stopped()) {
                stop();
            } else {
                if (has_waiting()) write_index();
                if (index_ != nullptr) {
                    if (summary_.annotated != 0) writer_->commit();
                    index_->write_variations();
                }
                if (records_ != nullptr) merge_records();
            }
            writer_->commit();
        } catch (const Stopped&) {
            // Stopped while indexing. The games are committed, and the next import will index them.
            summary_.stopped = true;
            writer_->rollback();
        }
        overlap_.reset();  // closed so that the database can become one file
        summary_.has_database = writer_->close_unless_unused();
        return std::move(summary_);
    }

  private:
    struct Stopped {};

    bool stopped() const { return options_.stop && options_.stop(); }
    void throw_if_stopped() const {
        if (stopped()) throw Stopped();
    }

    /// Chooses whether ply rows are stored, unless that is known. Without an option and without
    /// games the choice is left to a later import.
    void choose_ply_rows() {
        if (!writer_->ply_rows()) {
            if (options_.ply_rows == PlyRowChoice::kAuto &&
                std::ranges::all_of(inputs_, pgn::is_record_name)) {
                return;
            }
            const bool yes = options_.ply_rows == PlyRowChoice::kYes ||
                             (options_.ply_rows == PlyRowChoice::kAuto && bytes_.total() &&
                              expected_text(inputs_) <= kPlyRowsUpTo);
            writer_->choose_ply_rows(yes ? store::PlyRows::kYes : store::PlyRows::kNo);
        }
        summary_.ply_rows = *writer_->ply_rows();
        if (summary_.ply_rows == store::PlyRows::kYes) {
            pace_ = CommitPace(options_.plies_per_commit / kPlyRowsCost);
        }
        if ((options_.ply_rows == PlyRowChoice::kYes && summary_.ply_rows == store::PlyRows::kNo) ||
            (options_.ply_rows == PlyRowChoice::kNo && summary_.ply_rows == store::PlyRows::kYes)) {
            throw store::StoreError(store::StoreError::kOther,
                                    store_.location() + ": was created with --ply-rows " +
                                        (summary_.ply_rows == store::PlyRows::kYes ? "yes" : "no") +
                                        ", which later imports cannot change");
        }
    }

    void read_stored_games() {
        duplicates_.emplace(*store_.reader(), *writer_, [this] { throw_if_stopped(); });
    }

    void read_inputs(std::vector<store::StoredSource> rows) {
        SourceLedger::Policy policy;
        if (options_.again) policy.again = options_.as_given;
        policy.adds_notes = !options_.again && (options_.annotations || options_.variations);
        if (options_.again && options_.refuse_doubles) {
            policy.refuses = [this](const auto& row) { return has_games(row); };
        }
        SourceLedger ledger(std::move(rows), std::move(policy),
                            {options_.zstd_window_log, options_.stop});
        TaskSource source(inputs_, options_, store_.location(), std::move(ledger),
                          {.ply_rows = summary_.ply_rows == store::PlyRows::kYes,
                           .takes_rows = writer_->takes_rows()});
        std::vector<Worker> workers(options_.threads);
        pace_.committed();
        while (true) {
            read_until_due(source, workers);
            if (wrong_text_) retract(*std::exchange(wrong_text_, std::nullopt));
            if (source.waits()) {
                source.go_on(source.needs_stored() ? store_all()
                                                   : std::vector<store::StoredSource>());
                continue;
            }
            if (stopped() || !index_is_due()) break;
            write_index();
        }
    }

    bool has_games(const store::StoredSource& row) {
        const store::Reader reader = store_.reader();
        for (std::uint64_t i = 0; i < row.games; ++i) {
            if (reader->has_game(row.first_game + i)) return true;
        }
        return false;
    }

    /// Stores everything and returns the rows of the ledger. Returns none after a stop, or with
    /// `strict`, which commits only at the end.
    std::vector<store::StoredSource> store_all() {
        if (options_.strict || stopped()) return {};
        commit();
        // Indexed games can be deleted, but games that wait for the index cannot.
        if (has_waiting()) write_index();
        return store_.reader()->sources();
    }

    bool has_waiting() const { return index_ != nullptr && index_->has_waiting(); }
    bool index_is_due() const { return !options_.strict && index_ != nullptr && index_->is_due(); }

    /// Reads until the index is due. Then it begins no more batches; batches in progress are
    /// finished and indexed too.
    void read_until_due(TaskSource& source, std::vector<Worker>& workers) {
        store::GameId expected = writer_->next_game();
        const auto next = [&]() -> std::optional<SourceTask> {
            if (index_is_due() && !source.has_begun()) return std::nullopt;
            std::optional<SourceTask> task = source.next();
            auto* const batch = task ? std::get_if<SourceBatch>(&*task) : nullptr;
            if (batch != nullptr) {
                batch->expected_first = expected;
                expected += batch->games();
            }
            return task;
        };
        base::run_ordered(
            options_.threads,
            base::Window{options_.threads + std::size_t{2}, options_.memory_bytes / kShareOfTexts,
                         bytes_of_text},
            next,
            [&](unsigned thread, SourceTask task) -> ReadTask {
                if (index_ != nullptr) index_->help(thread);
                if (auto* const begin = std::get_if<BeginSource>(&task)) return std::move(*begin);
                if (auto* const end = std::get_if<EndSource>(&task)) return std::move(*end);
                return workers[thread].read(std::get<SourceBatch>(std::move(task)), thread,
                                            summary_.ply_rows == store::PlyRows::kYes,
                                            options_.only_known ? &store_ : nullptr);
            },
            [&](ReadTask read) {
                // After a stop, batches in progress are left to the next import.
                leaves_rest_ = leaves_rest_ || stopped();
                if (!leaves_rest_) std::visit([this](auto& task) { take(task); }, read);
            });
    }

    void write_index() {
        report(ImportProgress::Phase::kIndexing);
        if (source_) source_->save();
        if (!options_.strict) writer_->commit();
        index_->write();
    }

    /// Merges what this import and earlier ones that were stopped have added.
    void merge_records() {
        writer_->commit();
        records_->merge([this] {
            report(ImportProgress::Phase::kIndexing);
            return !stopped();
        });
        summary_.stopped = summary_.stopped || stopped();
    }

    void take(const BeginSource& begin) {
        const std::string& path = inputs_[begin.source];
        if (!begin.notice.empty()) summary_.notices.push_back(path + ": " + begin.notice);
        bytes_.begin(begin.source);
        if (!begin.untouched) {
            source_.emplace(begin, path, options_.as_given, summary_, *writer_);
            only_notes_ = begin.only_notes;
            if (!begin.inside.empty() && (!duplicates_ || only_notes_)) {
                overlap_.emplace(store_, begin.inside, [this] { throw_if_stopped(); });
            }
            return;
        }
        const bool looks_different = begin.row && begin.row->id != 0 &&
                                     begin.row->file.path == path && begin.row->file != begin.file;
        if (looks_different) writer_->set_source_file(begin.row->id, begin.file);
    }

    void take(ReadBatch& read) {
        store::NewGames& games = read.games;
        source_->look_at(games);
        const bool last_left_out = overlap_
                                       ? overlap_->apply(games, read.batch.open_game, only_notes_)
                                   : duplicates_ ? duplicates_->apply(games)
                                                 : false;
        const std::uint64_t positions = games.count_positions();
        // A game without an end might have to be removed later.
        const bool due = pace_.due(positions) || (records_ != nullptr && records_->is_due());
        if (!options_.strict && !source_->has_open_game() && due) commit();
        if (options_.strict) refuse_errors(games);
        count(games);
        summary_.left_out += read.left_out;
        if (games.is_of_records && records_ == nullptr) {
            throw store::StoreError(store::StoreError::kUnsupported,
                                    "this store has no records of positions");
        }
        const bool has_games = !games.games.empty();
        // Games came although the names of the inputs promised only records.
        if (has_games && !writer_->ply_rows()) writer_->choose_ply_rows(store::PlyRows::kNo);
        summary_.annotated += writer_->add_notes(games);
        writer_->add(std::move(games));
        pace_.add(positions);
        source_->stored(read.batch, has_games, last_left_out, summary_);
        bytes_.read_up_to(read.batch.compressed_offset);
        report(ImportProgress::Phase::kReading);
    }

    void take(const EndSource& end) {
        join_names(end);
        if (!source_) {
            end_untouched(end);
        } else if (!end.wrong_text) {
            end_source(end);
        } else if (options_.strict) {
            throw_undone(end.failure);
        } else {
            wrong_text_ = end;
        }
    }

    /// Joins the names that are joined in another database, unless that contradicts joins here.
    void join_names(const EndSource& end) {
        store::NameJoinWriter* const names = writer_->joined_names();
        if (names == nullptr || end.joins.empty()) return;
        std::size_t joined = 0;
        std::size_t contradicting = 0;
        std::string example;
        for (const JoinedThere& each : end.joins) {
            if (names->is_joined_otherwise(each.kind, each.name, each.canonical)) {
                if (contradicting++ == 0) example = each.name + " and " + each.canonical;
            } else {
                joined += names->join_name(each.kind, each.name, each.canonical, each.origin);
            }
        }
        const std::string path = inputs_[bytes_.current()] + ": ";
        if (joined != 0) {
            summary_.notices.push_back(path + base::counted(joined, "name") +
                                       " joined to another, as there");
        }
        if (contradicting != 0) {
            summary_.oddities.push_back(path + base::counted(contradicting, "name") +
                                        " joined otherwise here, and left so: " + example);
        }
    }

    void end_untouched(const EndSource& end) {
        if (end.failure.empty()) {
            ++summary_.known_sources;
        } else {
            if (options_.strict) throw_undone(end.failure);
            summary_.failures.push_back(end.failure);
        }
        if (end.ends_input) bytes_.end();
    }

    void end_source(const EndSource& end) {
        std::string failure = end.failure;
        if (failure.empty() && source_->is_empty()) failure = source_->path() + ": no game found";
        for (const std::string& problem : {failure, end.warning}) {
            if (problem.empty()) continue;
            if (options_.strict) throw_undone(problem);
            add_source_error(problem, end.failure_byte, problem == end.warning);
        }
        if (!failure.empty()) summary_.failures.push_back(failure);
        if (!end.warning.empty()) summary_.oddities.push_back(end.warning);
        if (const std::uint64_t lost = source_->lost_games(end); lost != 0) {
            const std::string& original = end.original->path;
            summary_.failures.push_back(
                source_->path() + ": " + base::counted(lost, "game") + " of " + original +
                (lost == 1 ? " is" : " are") +
                " damaged there (fendex errors); import --skip-duplicates takes " +
                (lost == 1 ? "it" : "them") + " from " + original);
        }
        source_->save(end);
        summary_.text_bytes += source_->bytes_read();
        leave_source(end);
    }

    void leave_source(const EndSource& end) {
        source_.reset();
        overlap_.reset();
        if (end.ends_input) bytes_.end();
    }

    void add_source_error(const std::string& reason, std::uint64_t byte, bool warning = false) {
        store::NewGames nothing;
        store::ImportError& error = nothing.errors.emplace_back().error;
        error.byte = byte;
        error.reason = reason;
        error.warning = warning;
        count(nothing);
        writer_->add(std::move(nothing));
    }

    /// Removes everything read from a source after the last verified byte, because a checksum shows
    /// that its text is wrong. No worker may be running.
    void retract(const EndSource& end) {
        const auto records = [this] { return writer_->source_counts().records; };
        const auto before = records();
        const std::uint64_t games = source_->retract(end.wrong_from);
        const std::string removed = before
                                        ? base::counted(*before - records().value_or(0), "record")
                                        : base::counted(games, "game");
        const std::string failure = end.failure + "; what was read of the damaged part (" +
                                    removed + ") was removed again; --keep-damaged keeps it";
        count_from(source_->checked_counts());
        summary_.text_bytes += source_->bytes_read();
        summary_.failures.push_back(failure);
        add_source_error(failure, end.failure_byte);
        commit();
        leave_source(end);
        if (index_ != nullptr) index_->restart();
        if (duplicates_) read_stored_games();
    }

    void count(const store::NewGames& games) {
        summary_.games += games.games.size();
        summary_.plies += games.count_plies();
        summary_.duplicates += games.duplicates;
        summary_.records += games.records.size();
        summary_.unknown += games.unknown_records;
        for (const store::NewError& each : games.errors) {
            ++(each.error.warning ? summary_.warnings : summary_.errors);
        }
    }
    void count_from(const ImportCounts& counts) { static_cast<ImportCounts&>(summary_) = counts; }

    void stop() {
        summary_.stopped = true;
        if (options_.strict || (source_ && source_->has_open_game())) {
            writer_->rollback();
            count_from(committed_);
        } else {
            commit();
        }
    }

    void commit() {
        if (source_) source_->save();
        writer_->commit();
        committed_ = summary_;
        pace_.committed();
    }

    /// Must be called before the batch is stored.
    void refuse_errors(const store::NewGames& games) {
        const auto refused = std::ranges::find_if(
            games.errors, [](const auto& each) { return !each.error.warning; });
        if (refused == games.errors.end()) return;
        const store::ImportError& error = refused->error;
        std::string message = source_->path();
        if (refused->game) {
            message += ": game " + std::to_string(source_->next_number() + *refused->game) +
                       ", line " + std::to_string(error.line) + ", byte " +
                       std::to_string(error.byte) + ", after ply " +
                       std::to_string(error.ply.value_or(0));
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
        overlap_.reset();
        writer_->close_unless_unused();
        throw ImportFailed(message + ": nothing was imported (--strict)");
    }

    void report(ImportProgress::Phase phase) {
        if (!options_.progress) return;
        const std::uint64_t text = source_ ? source_->bytes_read() : 0;
        options_.progress({phase, bytes_.read(), bytes_.total().value_or(0),
                           summary_.text_bytes + text, summary_.games, summary_.records});
    }

    store::Store& store_;
    const std::vector<std::string>& inputs_;
    const ImportOptions& options_;
    std::unique_ptr<store::StoreWriter> writer_;
    store::GrowingIndex* index_ = nullptr;  // null if games are indexed while they are added
    store::PositionRecordWriter* records_ = writer_->records();  // null if there are none
    std::optional<DuplicateFilter> duplicates_;
    std::optional<OverlapFilter> overlap_;  // of the current source
    InputBytes bytes_;
    CommitPace pace_;
    std::optional<SourceImport> source_;   // the current source; empty if it is left untouched
    std::optional<EndSource> wrong_text_;  // that source, if wrong text must be removed
    ImportSummary summary_;
    ImportCounts committed_;
    bool only_notes_ = false;  // of the current source
    bool leaves_rest_ = false;
};

}  // namespace

std::uint64_t expected_text(const std::vector<std::string>& inputs) {
    pgn::SourceOptions options;
    options.open_archive = std::make_shared<pgn::OpenArchive>();
    std::uint64_t sum = 0;
    for (const std::string& input : inputs) {
        if (pgn::is_record_name(input)) continue;
        const std::uint64_t text = pgn::text_size(input, kPlyRowsUpTo, options).value_or(0);
        if (text > kPlyRowsUpTo - sum) return kPlyRowsUpTo + 1;
        sum += text;
    }
    return sum;
}

ImportSummary import_files(store::Store& store, const std::vector<std::string>& inputs,
                           const ImportOptions& options) {
    return Import(store, inputs, options).run();
}

ImportSummary import_files(const std::string& database, const std::vector<std::string>& inputs,
                           const ImportOptions& options) {
    return import_files(*store::file_store(database), inputs, options);
}

}  // namespace fendex::ingest
