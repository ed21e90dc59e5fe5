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
        if (!splitter_) open(task);
        if (splitter_ && next_batch(task)) {
            // What was read of a stream that is stopped may be no whole game.
            if (stopped()) return std::nullopt;
            return task;
        }
    } catch (const pgn::SourceError& error) {
        task.failure = error.what();
        task.failure_byte = error.byte();
        task.wrong_text = error.wrong_from() && splitter_ && !options_.keep_damaged;
    }
    if (stopped()) return std::nullopt;
    end_source(task);
    return task;
}

void TaskSource::open(SourceTask& task) {
    const std::string& path = inputs_[current_];
    SourceStart& start = task.start.emplace();
    start.file = describe_file(path);
    // Where it cannot be opened, what was imported of it stays as it is.
    start.untouched = ledger_.knows(path);
    opened_ = ledger_.open(path);
    start.row = opened_.row;
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
    const std::optional<std::uint64_t> unchecked = opened_.text->unchecked_from();
    start.from_is_checked =
        !unchecked || start.from.byte == 0 || start.from.byte + pgn::kLookahead <= *unchecked;
    language_ = std::make_shared<SourceLanguage>(
        path, pgn::SourceOptions{.zstd_window_log = options_.zstd_window_log}, options_.languages);
    games_ = 0;
    splitter_.emplace(*opened_.text,
                      pgn::SplitterOptions{.batch_bytes = options_.batch_bytes,
                                           .read_bytes = options_.read_bytes,
                                           .max_game_bytes = max_game_bytes(options_.memory_bytes)},
                      std::move(opened_.before));
}

bool TaskSource::next_batch(SourceTask& task) {
    pgn::Batch batch;
    if (!splitter_->next(batch)) return false;
    games_ += batch.games();
    for (const pgn::Extent& extent : batch.extents) {
        if (extent.kind == pgn::Extent::Kind::kGame) {
            last_game_byte_ = batch.stream_offset + extent.offset;
        }
    }
    task.compressed_offset = batch.compressed_offset;
    task.checked = batch.checked;
    for (const pgn::Mark& mark : batch.marks) store::add_prefix(prefixes_, mark);
    task.marks = std::move(batch.marks);
    task.progress.resume = std::move(batch.checkpoint);
    task.progress.bytes = task.progress.resume.byte;
    task.progress.digest = task.progress.resume.digest;
    task.open_game = games_ != 0 && last_game_byte_ >= task.progress.bytes;
    task.batch = std::make_unique<BatchTask>(BatchTask{std::move(batch), ply_rows_,
                                                       options_.annotations || options_.variations,
                                                       options_.variant, language_});
    return true;
}

void TaskSource::end_source(SourceTask& task) {
    const std::string& path = inputs_[current_++];
    if (!splitter_) return;
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
    task.open_game = games_ != 0 && last_game_byte_ >= progress.resume.byte;
    progress.complete = task.failure.empty();
    waits_ = task.wrong_text;
    if (!waits_) {
        store::SourceProgress known = progress;
        known.prefixes = std::move(prefixes_);
        ledger_.add(opened_.file, known, games_);
    }
    splitter_.reset();
    opened_ = OpenedSource();
}

}  // namespace fendex::ingest
