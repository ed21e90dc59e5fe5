#include <algorithm>
#include <numeric>
#include <vector>

#include "store/sqlite/tables/deleted_games.hpp"
#include "store/sqlite/writer/sqlite_writer.hpp"

namespace fendex::store {

void SqliteWriter::continue_source(const StoredSource& source, const SourceFile& file,
                                   const std::string& options) {
    end_records();
    StoredSource kept = source;
    // Errors of games from a database are not read again: they were committed with their games.
    if (source.errors != 0 && !source.progress.is_in_database()) {
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

GameSums SqliteWriter::retract(const SourceCounts& counts, const SourceProgress& progress) {
    chunks_.flush();
    annotations_.flush();
    const StoredSource source = sources_.current();
    const GameId first = source.first_game + counts.games;
    if (const GameId variations = segments_.remove_from(first, sums_.segments()); variations != 0) {
        const GameId from = variations_from();
        set_variations_from(from == 0 ? variations : std::min(from, variations));
    }
    replaced_ = true;
    std::vector<GameId> games(next_game() - first);
    std::iota(games.begin(), games.end(), first);
    const GameSums removed = remove_games(games);
    DeletedGames deleted(connection_);
    deleted.load();
    deleted.forget_from(first);
    chunks_.cut(first - 1);
    player_lists_.cut_games(first - 1);
    totals_.last_game = first - 1;
    records_.retract(source.id, progress.resume.byte);
    sources_.retract(counts, progress, remove_errors(source.id, progress.resume.byte));
    return removed;
}

GameSums SqliteWriter::retract_row(const StoredSource& source) {
    std::vector<GameId> games(source.games);
    std::iota(games.begin(), games.end(), source.first_game);
    const GameSums removed = remove_games(games);
    records_.retract(source.id, 0);
    sources_.forget_text(source, remove_errors(source.id, 0));
    return removed;
}

std::uint64_t SqliteWriter::remove_errors(std::int64_t source, std::uint64_t resume_byte) {
    const std::uint64_t removed = errors_.remove(source, resume_byte);
    totals_.errors -= removed;
    return removed;
}

}  // namespace fendex::store
