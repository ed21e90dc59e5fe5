#include "ingest/task_source.hpp"

namespace fendex::ingest {

std::optional<SourceTask> TaskSource::next() {
    if (current_ == inputs_.size()) return std::nullopt;
    SourceTask task;
    task.source = current_;
    try {
        if (!splitter_) {
            text_bytes_ = 0;
            source_ = pgn::open_source(inputs_[current_], {options_.zstd_window_log});
            splitter_.emplace(*source_, pgn::SplitterOptions{.batch_bytes = options_.batch_bytes,
                                                             .read_bytes = options_.read_bytes});
        }
        pgn::Batch batch;
        if (splitter_->next(batch)) {
            task.compressed_offset = batch.compressed_offset;
            text_bytes_ = batch.stream_offset + batch.text.size();
            const std::size_t games = batch.games();
            task.batch = std::make_unique<BatchTask>(
                BatchTask{std::move(batch), next_game_, ply_rows_, options_.annotations || options_.variations});
            next_game_ += games;
            task.text_bytes = text_bytes_;
            return task;
        }
        task.compressed_offset = source_->compressed_offset();
        task.warning = source_->warning();
        if (const auto byte = splitter_->unclosed_comment()) {
            task.failure = inputs_[current_] + ": byte " + std::to_string(*byte) +
                           ": comment without an end, no game is read behind it";
            task.failure_byte = *byte;
        }
    } catch (const pgn::SourceError& error) {
        task.failure = error.what();
        task.failure_byte = error.byte();
    }
    task.text_bytes = text_bytes_;
    splitter_.reset();
    source_.reset();
    ++current_;
    return task;
}

}  // namespace fendex::ingest
