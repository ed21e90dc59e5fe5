// What an import stores of one source while it reads it: its row of the ledger, how far it has been
// read, and up to where its text is known to be right. Belongs to the thread of the writer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/importer.hpp"
#include "ingest/task_source.hpp"
#include "store/store_writer.hpp"

namespace fendex::ingest {

class SourceImport {
  public:
    /// Begins a source, or goes on with one. `begin` must not be of an untouched one; `counts` are
    /// what the import has counted so far.
    SourceImport(const BeginSource& begin, const std::string& path, const std::string& options,
                 const ImportCounts& counts, store::StoreWriter& writer);

    /// A batch has been read; duplicates are still in it.
    void look_at(const store::NewGames& games);
    /// The batch has been stored without its duplicates; `has_games`: with games that are none.
    void stored(const SourceBatch& batch, bool has_games, bool last_left_out,
                const ImportCounts& counts);
    /// Writes how far it has been read.
    void save() { writer_.update_source(progress_); }
    /// The same at its end.
    void save(const EndSource& end);
    /// Takes back what was read without having been checked, also in earlier commits and imports.
    /// `wrong_from`: the text may be wrong from there on. Returns the number of games.
    std::uint64_t take_back(std::uint64_t wrong_from);

    const std::string& path() const { return path_; }
    /// No game of it has been found, neither now nor in an earlier import.
    bool is_empty() const { return !has_games_ && writer_.next_game() == first_; }
    /// Its last game may go on: it would have to be taken back.
    bool has_open_game() const { return progress_.open_game.has_value(); }
    /// The number that the next game has among those read by this import.
    std::uint64_t next_number() const { return writer_.next_game() - first_ + 1; }
    /// Bytes of text that this import has read.
    std::uint64_t bytes_read() const {
        return progress_.bytes - std::min(progress_.bytes, begin_.from.byte);
    }
    /// What the import had counted when the text was known to be right the last time.
    const ImportCounts& checked_counts() const { return checked_.counts; }

  private:
    /// Up to here the text is what was compressed.
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
    store::GameId first_;                     // of the games that are stored from here on
    bool has_games_ = false;                  // with tags or moves
    std::optional<store::GameId> last_game_;  // empty if it was left out
    store::SourceProgress progress_;
    Checked checked_;
};

}  // namespace fendex::ingest
