#include "ingest/source_import.hpp"

#include <algorithm>
#include <utility>

#include "store/source_prefixes.hpp"

namespace fendex::ingest {

namespace {

store::SourceProgress progress_at(const pgn::Checkpoint& checkpoint) {
    store::SourceProgress progress;
    progress.bytes = checkpoint.byte;
    progress.digest = checkpoint.digest;
    progress.resume = checkpoint;
    return progress;
}

/// Where the text of a row begins.
pgn::Checkpoint first_checkpoint(const store::StoredSource& row) {
    for (pgn::Mark& mark : store::marks_of(row.progress.prefixes)) {
        if (mark.byte == row.first_byte && mark.line != 0) return mark;
    }
    return row.first_byte == 0 ? pgn::Checkpoint() : row.progress.resume;
}

}  // namespace

SourceImport::SourceImport(const BeginSource& begin, const std::string& path,
                           const std::string& options, const ImportCounts& counts,
                           store::StoreWriter& writer)
    : writer_(writer), path_(path), first_(writer.next_game()), begin_byte_(begin.from.byte) {
    if (begin.row) {
        writer_.continue_source(*begin.row, begin.file, options);
        has_games_ = begin.row->games != 0;
    } else {
        writer_.begin_source(begin.file, options, begin.from.byte);
        has_games_ = begin.from.byte != 0;
    }
    if (begin.from.byte != 0) progress_ = progress_at(begin.from);
    progress_.prefixes = begin.prefixes;
    checked_ = {writer_.source_counts(), begin.from, counts};
    // An earlier import of the same row has read text that is not checked yet.
    if (!begin.from_is_checked && begin.row && writer_.source() == begin.row->id) {
        checked_ = {{}, first_checkpoint(*begin.row), counts};
    }
}

void SourceImport::look_at(const store::NewGames& games) {
    has_games_ |= std::any_of(games.games.begin(), games.games.end(), [](const auto& game) {
        return game.tags.size != 0 || game.facts.plies != 0;
    });
}

void SourceImport::stored(const SourceBatch& batch, const store::NewGames& games,
                          bool last_left_out, const ImportCounts& counts) {
    if (last_left_out) {
        last_game_.reset();
    } else if (!games.games.empty()) {
        last_game_ = writer_.next_game() - 1;
    }
    std::string prefixes = std::move(progress_.prefixes);
    for (const pgn::Mark& mark : batch.marks) store::add_prefix(prefixes, mark);
    progress_ = with_open_game(batch.progress, batch.open_game);
    progress_.prefixes = std::move(prefixes);
    if (batch.checked && !progress_.open_game) {
        checked_ = {writer_.source_counts(), progress_.resume, counts};
    }
}

void SourceImport::save(const EndSource& end) {
    store::SourceProgress progress = with_open_game(end.progress, end.open_game);
    progress.prefixes = std::move(progress_.prefixes);
    progress_ = std::move(progress);
    save();
}

store::RemovedGames SourceImport::take_back() {
    store::SourceProgress kept = progress_at(checked_.checkpoint);
    kept.prefixes = store::prefixes_up_to(progress_.prefixes, kept.bytes);
    progress_ = std::move(kept);
    return writer_.take_back(checked_.source, progress_);
}

store::SourceProgress SourceImport::with_open_game(store::SourceProgress progress,
                                                   bool open_game) const {
    if (open_game) progress.open_game = last_game_;
    return progress;
}

}  // namespace fendex::ingest
