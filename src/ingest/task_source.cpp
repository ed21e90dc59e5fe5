#include "ingest/task_source.hpp"

#include <algorithm>
#include <utility>

#include "ingest/pgn_check.hpp"
#include "pgn/lexer.hpp"
#include "pgn/line_splitter.hpp"
#include "pgn/member_path.hpp"
#include "pgn/splitter.hpp"
#include "store/source_prefixes.hpp"

namespace fendex::ingest {

namespace {

/// Memory holds several copies of a game, and a game of each batch in progress. No real game has 8
/// MiB.
std::size_t max_game_bytes(std::size_t memory) {
    return std::clamp(memory / 8, std::size_t{8} << 20, pgn::SplitterOptions().max_game_bytes);
}

/// Ply rows take some twenty times as much memory as their text.
std::size_t bytes_of_batch(std::size_t batch_bytes, bool ply_rows) {
    constexpr std::size_t kPartWithPlyRows = 4;
    return ply_rows ? batch_bytes / kPartWithPlyRows : batch_bytes;
}

/// Returns how many stored games are one batch: as many as a batch of text has, or one.
std::uint64_t games_of_batch(std::size_t bytes) {
    constexpr std::size_t kBytesOfGame = 512;
    return std::max<std::size_t>(bytes / kBytesOfGame, 1);
}

}  // namespace

TaskSource::Input::Input() = default;

std::optional<SourceTask> TaskSource::next() {
    if (second_) return std::exchange(second_, std::nullopt);
    if (current_ == inputs_.size() || waits_ || stopped()) return std::nullopt;
    std::optional<SourceBatch> batch;
    EndSource end;
    try {
        if (!input_) open();
        if (needs_stored()) {
            waits_ = true;
            return std::nullopt;
        }
        if (input_->database) return next_of_database();
        if (input_->begin) begin_reading();
        if (input_->splitter) batch = next_batch();
    } catch (const pgn::SourceError& error) {
        end.failure = error.what();
        end.failure_byte = error.byte();
        end.wrong_from = error.wrong_from().value_or(0);
        end.wrong_text = error.wrong_from() && input_->splitter && !options_.keep_damaged;
    }
    // The last text read from a stopped stream may not be a whole game.
    if (stopped()) return std::nullopt;
    std::optional<BeginSource> begin = std::exchange(input_->begin, std::nullopt);
    SourceTask task;
    if (batch) {
        task = std::move(*batch);
    } else {
        end_source(end);
        input_.reset();
        task = std::move(end);
    }
    if (!begin) return task;
    second_ = std::move(task);
    return std::move(*begin);
}

void TaskSource::go_on(const std::vector<store::StoredSource>& stored) {
    if (input_ && input_->opened.needs_stored) {
        SourceLedger::set_stored(stored, input_->opened);
        if (input_->database) input_->database->begin(ledger_.compared_rows(stored));
    } else if (needs_stored()) {
        input_->database->go_on();
    }
    waits_ = false;
}

std::optional<SourceTask> TaskSource::next_of_database() {
    std::optional<SourceTask> task = input_->database->next();
    if (!task) {
        input_.reset();
        ++current_;
        return next();
    }
    if (std::holds_alternative<BeginSource>(*task)) second_ = input_->database->next();
    if (const auto* const end = std::get_if<EndSource>(&*task); end != nullptr && end->original) {
        ledger_.add(*end->original, end->progress, 0, false);
    }
    return task;
}

void TaskSource::open() {
    const std::string& path = inputs_[current_];
    Input& input = input_.emplace();
    BeginSource& begin = input.begin.emplace();
    begin.source = current_;
    begin.file = describe_file(path);
    begin.untouched = true;
    if (const auto refusal = ledger_.refusal(path)) throw pgn::SourceError(*refusal, 0);
    // If it cannot be opened, games imported from it before are kept.
    begin.untouched = ledger_.knows(path);
    if (!lacks_notes_.empty()) {
        input.opened = ledger_.open_for_notes(path, std::exchange(lacks_notes_, {}));
        return;
    }
    input.database = DatabaseInput::open(
        path, current_,
        {.written = written_,
         .threads = options_.threads,
         .games_of_batch = games_of_batch(bytes_of_batch(options_.batch_bytes, target_.ply_rows)),
         .copies_segments = !options_.strict && !options_.skip_duplicates,
         .takes_rows = target_.takes_rows && !options_.skip_duplicates});
    if (input.database) {
        // What of it is known is decided by the rows of everything before.
        input.opened.needs_stored = true;
        return;
    }
    input.opened = ledger_.open(path);
    // What games have reached is known when they are stored and indexed.
    input.opened.needs_stored |= options_.only_known && input.opened.text != nullptr;
}

void TaskSource::begin_reading() {
    const std::string& path = inputs_[current_];
    Input& input = *input_;
    OpenedSource& opened = input.opened;
    BeginSource& begin = *input.begin;
    static_cast<KnownSource&>(begin) = opened;
    begin.untouched = opened.text == nullptr;
    if (opened.failure) throw pgn::SourceError(*opened.failure);
    if (begin.untouched) return;
    input.kind = opened.of_records ? TextKind::kRecords : TextKind::kGames;
    std::string head;
    if (opened.before.checkpoint.byte == 0) {
        begin.untouched = true;  // until it is known to be something to import
        RecognisedText recognised = recognise_text(std::move(opened.text), path, options_.variant);
        opened.text = std::move(recognised.text);
        input.kind = recognised.kind;
        head = std::move(recognised.head);
        begin.untouched = false;
    }
    begin.from = opened.before.checkpoint;
    input.prefixes = opened.prefixes;
    if (input.kind == TextKind::kRecords) {
        input.splitter = std::make_unique<pgn::LineSplitter>(
            *opened.text,
            pgn::LineSplitterOptions{.batch_bytes = options_.batch_bytes,
                                     .read_bytes = options_.read_bytes,
                                     .max_line_bytes = max_game_bytes(options_.memory_bytes)},
            std::move(opened.before));
        return;
    }
    // Only for a file in an archive the head is kept: to open it again, the files before it would
    // have to be read.
    if (!pgn::split_member(path)) head.clear();
    input.language = std::make_shared<SourceLanguage>(
        path, pgn::SourceOptions{.zstd_window_log = options_.zstd_window_log}, options_.languages,
        std::move(head));
    input.splitter = std::make_unique<pgn::Splitter>(
        *opened.text,
        pgn::SplitterOptions{.batch_bytes = bytes_of_batch(options_.batch_bytes, target_.ply_rows),
                             .read_bytes = options_.read_bytes,
                             .max_game_bytes = max_game_bytes(options_.memory_bytes)},
        std::move(opened.before));
}

std::optional<SourceBatch> TaskSource::next_batch() {
    Input& input = *input_;
    pgn::Batch batch;
    if (!input.splitter->next(batch)) return std::nullopt;
    input.games += batch.games();
    for (const pgn::Extent& extent : batch.extents) {
        if (extent.kind == pgn::Extent::Kind::kGame) {
            input.last_game_byte = batch.stream_offset + extent.offset;
        }
    }
    for (const pgn::Mark& mark : batch.marks) store::add_prefix(input.prefixes, mark);
    SourceBatch out;
    out.compressed_offset = batch.compressed_offset;
    out.checked = batch.checked;
    out.marks = std::move(batch.marks);
    out.progress.resume = std::move(batch.checkpoint);
    out.progress.bytes = out.progress.resume.byte;
    out.progress.digest = out.progress.resume.digest;
    out.open_game = input.has_game_behind(out.progress.bytes);
    out.kind = input.kind;
    out.task = std::make_unique<BatchTask>(BatchTask{std::move(batch), target_.ply_rows,
                                                     options_.annotations || options_.variations,
                                                     options_.variant, input.language});
    return out;
}

void TaskSource::end_source(EndSource& end) {
    const std::string& path = inputs_[current_++];
    Input& input = *input_;
    if (!input.splitter) return;
    end.warning = input.opened.text->warning();
    if (const auto byte = input.splitter->unclosed_comment(); byte && end.failure.empty()) {
        end.failure = path + ": byte " + std::to_string(*byte) +
                      ": comment without an end: no game after it was read";
        end.failure_byte = *byte;
    }
    store::SourceProgress& progress = end.progress;
    progress.bytes = input.splitter->text_bytes();
    progress.digest = input.splitter->digest();
    progress.resume = input.splitter->checkpoint();
    progress.complete = end.failure.empty();
    end.open_game = input.has_game_behind(progress.resume.byte);
    waits_ = end.wrong_text;
    if (waits_) return;
    store::SourceProgress known = progress;
    known.prefixes = std::move(input.prefixes);
    if (end.open_game) known.open_game = 0;  // its number is known when it is stored
    ledger_.add(input.opened.file, known, input.games, input.kind == TextKind::kRecords);
    if (end.failure.empty() && !input.opened.lacks_notes.empty()) {
        lacks_notes_ = std::move(input.opened.lacks_notes);
        end.ends_input = false;
        --current_;
    }
}

}  // namespace fendex::ingest
