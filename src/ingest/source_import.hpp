// The import of one source: its row of the ledger, how far it has been read, and up to where its
// text is known to be right. Belongs to the writer's thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/importer.hpp"
#include "ingest/source_task.hpp"
#include "store/store_writer.hpp"

namespace fendex::ingest {

class SourceImport {
  public:
    /// Begins or continues a source. `begin` must not be that of an untouched one; `counts` are the
    /// import's counts so far.
    SourceImport(const BeginSource& begin, std::string path, const std::string& options,
                 const ImportCounts& counts, store::StoreWriter& writer);

    /// Must be called for each batch that has been read, before duplicates are removed.
    void look_at(const store::NewGames& games);
    /// Called after the batch has been stored without its duplicates. `has_games` says whether it
    /// had other games.
    void stored(const SourceBatch& batch, bool has_games, bool last_left_out,
                const ImportCounts& counts);
    /// Records how far the source has been read.
    void save();
    /// Records how far the source was read when it ended, and its original name.
    void save(const EndSource& end);
    /// Removes what was read without having been verified, also in earlier commits and imports.
    /// From `wrong_from` on the text may be wrong. Returns the number of removed games.
    std::uint64_t retract(std::uint64_t wrong_from);

    /// Returns how many games of a source of another database are neither stored nor known here,
    /// because they are damaged there.
    std::uint64_t lost_games(const EndSource& end) const;
    const std::string& path() const { return path_; }
    /// Returns whether neither games nor records of the source have been found, now or in an
    /// earlier import.
    bool is_empty() const { return !has_games_ && writer_.next_game() == first_; }
    /// Returns whether the last game of the source may go on, and would then have to be removed.
    bool has_open_game() const { return progress_.open_game.has_value(); }
    /// Returns the number of the next game among those that this import reads from the source.
    std::uint64_t next_number() const { return writer_.next_game() - first_ + 1; }
    /// Returns the bytes of text that this import has read.
    std::uint64_t bytes_read() const {
        if (begin_.first_byte_of_original) return 0;
        return progress_.bytes - std::min(progress_.bytes, begin_.from.byte);
    }
    /// Returns the import's counts at the last place up to which the text is known to be right.
    const ImportCounts& checked_counts() const { return checked_.counts; }

  private:
    /// The state at the last place up to which the text is known to be right.
    struct Checked {
        store::SourceCounts source;
        pgn::Checkpoint checkpoint;
        ImportCounts counts;
    };

    std::vector<store::StoredSource> find_wrong_rows(std::uint64_t wrong_from);
    store::SourceProgress with_open_game(store::SourceProgress progress, bool open_game) const;

    store::StoreWriter& writer_;
    BeginSource begin_;
    std::string path_;
    store::GameId first_;                     // the first that this import stores of it
    bool has_games_ = false;                  // with tags or moves; or it has records
    std::optional<store::GameId> last_game_;  // empty if it was left out
    store::SourceProgress progress_;
    Checked checked_;
    /// For records of positions: the last save. Each save makes a run of the records before it, and
    /// only whole runs can be removed.
    std::optional<Checked> saved_;
    bool of_records_ = false;
    ImportCounts counts_;  // of the import, after the last batch
};

}  // namespace fendex::ingest
