// What the importer's readers work on: one input after the other, cut into batches of whole
// games.
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
    bool from_is_checked = true;             // see pgn::Batch
    std::string notice;
    bool untouched = false;  // nothing is read of it, and nothing written
};

/// What the readers are handed: a batch, or the end of a source.
struct SourceTask {
    std::size_t source = 0;
    std::optional<SourceStart> start;  // in the first task of a source
    std::unique_ptr<BatchTask> batch;  // in one place: what is read has views of its text
    std::uint64_t compressed_offset = 0;
    /// Up to here, but for the prefixes and the open game.
    store::SourceProgress progress;
    bool open_game = false;        // the last game of the source is behind that checkpoint
    std::vector<pgn::Mark> marks;  // of the batch
    bool checked = true;           // see pgn::Batch
    // At the end of a source:
    std::string failure;
    std::string warning;
    std::uint64_t failure_byte = 0;
    bool wrong_text = false;  // what has not been checked is to be taken back
};

/// Opens one input after the other and cuts it into batches. Asked by one thread at a time.
class TaskSource {
  public:
    TaskSource(const std::vector<std::string>& inputs, const ImportOptions& options,
               SourceLedger ledger, bool ply_rows)
        : inputs_(inputs), options_(options), ledger_(std::move(ledger)), ply_rows_(ply_rows) {}

    /// Empty at the end, where the import is to stop, and after a source of which something is to
    /// be taken back.
    std::optional<SourceTask> next();
    /// It has been taken back.
    void go_on() { waits_ = false; }

  private:
    bool stopped() const { return options_.stop && options_.stop(); }
    void open(SourceTask& task);
    bool next_batch(SourceTask& task);
    void end_source(SourceTask& task);

    const std::vector<std::string>& inputs_;
    const ImportOptions& options_;
    SourceLedger ledger_;
    std::size_t current_ = 0;
    OpenedSource opened_;
    std::optional<pgn::Splitter> splitter_;
    std::shared_ptr<SourceLanguage> language_;
    std::uint64_t games_ = 0;           // of the source
    std::uint64_t last_game_byte_ = 0;  // where the last of them begins
    bool ply_rows_;
    std::string prefixes_;  // of the source
    bool waits_ = false;    // for go_on()
};

}  // namespace fendex::ingest
