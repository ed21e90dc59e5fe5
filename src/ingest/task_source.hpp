// What the importer's readers work on: one input after the other, cut into batches of whole games
// that are numbered as they come.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/batch_reader.hpp"
#include "ingest/importer.hpp"
#include "ingest/source_ledger.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/splitter.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// How a source begins.
struct SourceStart {
    store::SourceFile file;
    std::optional<store::StoredSource> row;  // that is read on; or of what was imported before
    pgn::Checkpoint from;                    // what is before that is known
    std::string prefixes;                    // of that
    std::vector<store::StoredSource> rows_before;  // see OpenedSource
    std::vector<store::StoredSource> inside;       // see OpenedSource
    std::string notice;
    bool untouched = false;  // nothing is read of it, and nothing written
};

/// What the readers are handed: a batch, or the end of a source.
struct SourceTask {
    std::size_t source = 0;
    std::optional<SourceStart> start;  // in the first task of a source
    std::unique_ptr<BatchTask> batch;  // in one place: what is read has views of its text
    std::uint64_t compressed_offset = 0;
    store::SourceProgress progress;  // up to here, but for the prefixes
    std::vector<pgn::Mark> marks;    // of the batch
    bool checked = true;             // see pgn::Batch
    // At the end of a source:
    std::string failure;
    std::string warning;
    std::uint64_t failure_byte = 0;
    bool wrong_text = false;  // what has not been checked is to be taken back
    std::uint64_t wrong_from = 0;
    /// Some of its games may be left out: postings must not be fed before that is known.
    bool overlaps = false;
};

/// Opens one input after the other and cuts it into batches. Asked by one thread at a time.
class TaskSource {
  public:
    TaskSource(const std::vector<std::string>& inputs, const ImportOptions& options,
               SourceLedger ledger, store::GameId first_game, bool ply_rows)
        : inputs_(inputs),
          options_(options),
          ledger_(std::move(ledger)),
          next_game_(first_game),
          ply_rows_(ply_rows) {}

    /// Empty at the end, if the import is to stop, and while it waits for go_on(): after a source
    /// that may have fewer games than were read, because something is taken back or left out, and
    /// before one for which what came before must be stored.
    std::optional<SourceTask> next();
    bool waits() const { return waits_; }
    bool needs_stored() const { return opened_.needs_stored; }
    /// All that was handed out is stored. `stored`: all rows of the ledger, if needs_stored().
    void go_on(store::GameId next_game, const std::vector<store::StoredSource>& stored = {});

  private:
    bool stopped() const { return options_.stop && options_.stop(); }
    void open(SourceTask& task);
    void begin(SourceTask& task);
    bool next_batch(SourceTask& task);
    void end_source(SourceTask& task);

    const std::vector<std::string>& inputs_;
    const ImportOptions& options_;
    SourceLedger ledger_;
    std::size_t current_ = 0;
    OpenedSource opened_;
    std::optional<pgn::Splitter> splitter_;
    std::shared_ptr<SourceLanguage> language_;
    std::optional<store::GameId> last_game_;  // of the source
    std::uint64_t last_game_byte_ = 0;
    store::GameId next_game_;
    store::GameId source_first_game_ = 1;
    bool ply_rows_;
    std::string prefixes_;  // of the source
    bool is_open_ = false;  // the source
    bool waits_ = false;    // for go_on()
};

}  // namespace fendex::ingest
