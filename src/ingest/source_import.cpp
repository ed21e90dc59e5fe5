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

}  // namespace

SourceImport::SourceImport(const BeginSource& begin, std::string path, const std::string& options,
                           const ImportCounts& counts, store::StoreWriter& writer)
    : writer_(writer), begin_(begin), path_(std::move(path)), first_(writer.next_game()) {
    if (begin.row) {
        writer_.continue_source(*begin.row, begin.file, options);
        has_games_ = begin.row->games != 0 || begin.row->records;
    } else {
        writer_.begin_source(begin.file, options,
                             begin.first_byte_of_original.value_or(begin.from.byte));
        has_games_ = begin.from.byte != 0;
    }
    if (begin.first_byte_of_original && begin.row && begin.row->games != 0) {
        last_game_ = begin.row->first_game + begin.row->games - 1;
    }
    if (begin.from.byte != 0) progress_ = progress_at(begin.from);
    progress_.prefixes = begin.prefixes;
    checked_ = {writer_.source_counts(), begin.from, counts};
}

void SourceImport::look_at(const store::NewGames& games) {
    of_records_ |= games.is_of_records;
    has_games_ |= of_records_ || std::ranges::any_of(games.games, [](const auto& game) {
                      return game.row || game.tags.size != 0 || game.facts.plies != 0;
                  });
}

void SourceImport::stored(const SourceBatch& batch, bool has_games, bool last_left_out,
                          const ImportCounts& counts) {
    if (last_left_out) {
        last_game_.reset();
    } else if (has_games) {
        last_game_ = writer_.next_game() - 1;
    }
    std::string prefixes = std::move(progress_.prefixes);
    for (const pgn::Mark& mark : batch.marks) store::add_prefix(prefixes, mark);
    progress_ = with_open_game(batch.progress, batch.open_game);
    progress_.prefixes = std::move(prefixes);
    counts_ = counts;
    if (!batch.checked || progress_.open_game) return;
    if (!of_records_) {
        checked_ = {writer_.source_counts(), progress_.resume, counts};
    } else if (saved_) {
        checked_ = *std::exchange(saved_, std::nullopt);
    }
}

void SourceImport::save() {
    writer_.update_source(progress_);
    if (of_records_) saved_ = {writer_.source_counts(), progress_.resume, counts_};
}

std::uint64_t SourceImport::lost_games(const EndSource& end) const {
    if (!end.original) return 0;
    const store::SourceCounts counts = writer_.source_counts();
    const bool same_row = begin_.row && begin_.row->id == writer_.source();
    const std::uint64_t there = same_row ? end.games_there : end.games_taken;
    return there - std::min(there, counts.games + counts.duplicates);
}

void SourceImport::save(const EndSource& end) {
    if (lost_games(end) != 0) {
        // Its text is not known here: it has games that are not stored.
        progress_.complete = true;
        return save();
    }
    store::SourceProgress progress = with_open_game(end.progress, end.open_game);
    if (!end.original) progress.prefixes = std::move(progress_.prefixes);
    progress_ = std::move(progress);
    save();
    if (end.original) writer_.set_source_file(writer_.source(), *end.original);
}

/// Returns earlier rows with wrong text. Interrupted imports may have read wrong text of the same
/// archive too: into the row that is continued now, and into other rows if something else was
/// imported in between.
std::vector<store::StoredSource> SourceImport::find_wrong_rows(std::uint64_t wrong_from) {
    const bool nothing_checked = checked_.checkpoint.byte == begin_.from.byte;
    if (wrong_from >= begin_.from.byte || !nothing_checked || !begin_.row) return {};
    std::vector<store::StoredSource> rows;
    const bool same_row = writer_.source() == begin_.row->id;
    const auto is_same_archive = [&](const store::StoredSource& row) {
        return begin_.file.size && row.file == begin_.file;
    };
    if (!same_row && !is_same_archive(*begin_.row)) return {};
    if (!same_row) rows.push_back(*begin_.row);
    const auto& before = begin_.rows_before;
    for (auto row = before.rbegin(); row != before.rend() && is_same_archive(*row); ++row) {
        rows.insert(rows.begin(), *row);
    }
    checked_ = {{}, begin_of(rows.empty() ? *begin_.row : rows.front()), checked_.counts};
    return rows;
}

std::uint64_t SourceImport::retract(std::uint64_t wrong_from) {
    const std::vector<store::StoredSource> earlier = find_wrong_rows(wrong_from);
    store::SourceProgress kept = progress_at(checked_.checkpoint);
    kept.prefixes = store::prefixes_up_to(progress_.prefixes, kept.bytes);
    progress_ = std::move(kept);
    std::uint64_t games = writer_.retract(checked_.source, progress_).games;
    for (const store::StoredSource& row : earlier) games += writer_.retract_row(row).games;
    return games;
}

store::SourceProgress SourceImport::with_open_game(store::SourceProgress progress,
                                                   bool open_game) const {
    if (open_game) progress.open_game = last_game_;
    return progress;
}

}  // namespace fendex::ingest
