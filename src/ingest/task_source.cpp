#include "ingest/task_source.hpp"

#include <algorithm>
#include <utility>

#include "ingest/pgn_check.hpp"
#include "pgn/lexer.hpp"
#include "store/source_prefixes.hpp"

namespace fendex::ingest {

namespace {

/// A game is there a few times at once, and one in each batch on its way; none that people have
/// made has 8 MiB.
std::size_t max_game_bytes(std::size_t memory) {
    return std::clamp(memory / 8, std::size_t{8} << 20, pgn::SplitterOptions().max_game_bytes);
}

}  // namespace

std::optional<SourceTask> TaskSource::next() {
    if (current_ == inputs_.size() || waits_ || stopped()) return std::nullopt;
    SourceTask task;
    task.source = current_;
    try {
        if (!is_open_) open(task);
        if (opened_.needs_stored) {
            waits_ = true;
            return std::nullopt;
        }
        if (!splitter_) begin(task);
        if (splitter_ && next_batch(task)) {
            // What was read of a stream that is stopped may be no whole game.
            if (stopped()) return std::nullopt;
            return task;
        }
    } catch (const pgn::SourceError& error) {
        task.failure = error.what();
        task.failure_byte = error.byte();
        task.wrong_from = error.wrong_from().value_or(0);
        task.wrong_text = error.wrong_from() && splitter_ && !options_.keep_damaged;
    }
    if (stopped()) return std::nullopt;
    end_source(task);
    return task;
}

void TaskSource::go_on(store::GameId next_game, const std::vector<store::StoredSource>& stored) {
    if (opened_.needs_stored) SourceLedger::set_stored(stored, opened_);
    next_game_ = next_game;
    waits_ = false;
}

void TaskSource::open(SourceTask& task) {
    const std::string& path = inputs_[current_];
    SourceStart& start = task.start.emplace();
    start.file = describe_file(path);
    // If it cannot be opened, what was imported of it stays as it is.
    start.untouched = ledger_.knows(path);
    opened_ = ledger_.open(path);
    is_open_ = true;
}

void TaskSource::begin(SourceTask& task) {
    const std::string& path = inputs_[current_];
    SourceStart& start = task.start.emplace();
    start.file = opened_.file;
    start.row = opened_.row;
    start.rows_before = opened_.rows_before;
    start.inside = opened_.inside;
    start.notice = opened_.notice;
    start.untouched = opened_.text == nullptr;
    if (opened_.failure) throw pgn::SourceError(*opened_.failure);
    if (start.untouched) return;
    if (opened_.before.checkpoint.byte == 0) {
        start.untouched = true;  // unless it is PGN
        opened_.text = require_pgn(std::move(opened_.text), path, options_.variant);
        start.untouched = false;
    }
    start.from = opened_.before.checkpoint;
    start.prefixes = prefixes_ = opened_.prefixes;
    language_ = std::make_shared<SourceLanguage>(
        path, pgn::SourceOptions{.zstd_window_log = options_.zstd_window_log}, options_.languages);
    source_first_game_ = next_game_;
    last_game_.reset();
    splitter_.emplace(*opened_.text,
                      pgn::SplitterOptions{.batch_bytes = options_.batch_bytes,
                                           .read_bytes = options_.read_bytes,
                                           .max_game_bytes = max_game_bytes(options_.memory_bytes)},
                      std::move(opened_.before));
}

bool TaskSource::next_batch(SourceTask& task) {
    pgn::Batch batch;
    if (!splitter_->next(batch)) return false;
    const std::size_t games = batch.games();
    for (const pgn::Extent& extent : batch.extents) {
        if (extent.kind == pgn::Extent::Kind::kGame) {
            last_game_ = next_game_ + games - 1;
            last_game_byte_ = batch.stream_offset + extent.offset;
        }
    }
    task.compressed_offset = batch.compressed_offset;
    task.checked = batch.checked;
    task.overlaps = !opened_.inside.empty();
    for (const pgn::Mark& mark : batch.marks) store::add_prefix(prefixes_, mark);
    task.marks = std::move(batch.marks);
    task.progress.resume = std::move(batch.checkpoint);
    task.progress.bytes = task.progress.resume.byte;
    task.progress.digest = task.progress.resume.digest;
    if (last_game_ && last_game_byte_ >= task.progress.bytes) task.progress.open_game = last_game_;
    task.batch = std::make_unique<BatchTask>(BatchTask{std::move(batch), next_game_, ply_rows_,
                                                       options_.annotations || options_.variations,
                                                       options_.variant, language_});
    next_game_ += games;
    return true;
}

void TaskSource::end_source(SourceTask& task) {
    const std::string& path = inputs_[current_++];
    is_open_ = false;
    if (!splitter_) {
        opened_ = OpenedSource();
        return;
    }
    task.compressed_offset = opened_.text->compressed_offset();
    task.warning = opened_.text->warning();
    if (const auto byte = splitter_->unclosed_comment(); byte && task.failure.empty()) {
        task.failure = path + ": byte " + std::to_string(*byte) +
                       ": comment without an end, no game is read behind it";
        task.failure_byte = *byte;
    }
    store::SourceProgress& progress = task.progress;
    progress.bytes = splitter_->text_bytes();
    progress.digest = splitter_->digest();
    progress.resume = splitter_->checkpoint();
    if (last_game_ && last_game_byte_ >= progress.resume.byte) progress.open_game = last_game_;
    progress.complete = task.failure.empty();
    task.overlaps = !opened_.inside.empty();
    waits_ = task.wrong_text || task.overlaps;
    if (!task.wrong_text) {
        store::SourceProgress known = progress;
        known.prefixes = std::move(prefixes_);
        ledger_.add(opened_.file, known, next_game_ - source_first_game_);
    }
    splitter_.reset();
    opened_ = OpenedSource();
}

}  // namespace fendex::ingest
