// The tasks of the importer's workers: one input after the other, cut into batches of whole games.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ingest/batch_reader.hpp"
#include "ingest/importer.hpp"
#include "ingest/pgn_check.hpp"
#include "ingest/source_ledger.hpp"
#include "pgn/batch.hpp"
#include "pgn/byte_source.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// The row is that to continue, or that of an input that was imported before.
struct BeginSource : KnownSource {
    std::size_t source = 0;  // index of the input
    pgn::Checkpoint from;    // the text before is known
    bool untouched = false;  // nothing is read of it, and nothing is written
};

struct SourceBatch {
    std::unique_ptr<BatchTask> task;  // on the heap: games have views of its text
    std::uint64_t compressed_offset = 0;
    /// The progress at the batch's end, without prefixes and open game.
    store::SourceProgress progress;
    bool open_game = false;        // the last game of the source is after that checkpoint
    std::vector<pgn::Mark> marks;  // of the batch
    bool checked = true;           // see pgn::Batch
    TextKind kind = TextKind::kGames;
};

struct EndSource {
    /// As in SourceBatch.
    store::SourceProgress progress;
    bool open_game = false;
    std::string failure;
    std::string warning;
    std::uint64_t failure_byte = 0;
    bool wrong_text = false;  // unverified text must be removed
    std::uint64_t wrong_from = 0;
};

using SourceTask = std::variant<BeginSource, SourceBatch, EndSource>;

/// Opens one input after the other and cuts it into batches. Each input gives a begin, any number
/// of batches and an end, unless the import is stopped in it. One thread at a time.
class TaskSource {
  public:
    TaskSource(const std::vector<std::string>& inputs, const ImportOptions& options,
               SourceLedger ledger, bool ply_rows)
        : inputs_(inputs), options_(options), ledger_(std::move(ledger)), ply_rows_(ply_rows) {}

    /// Returns the next task. Empty at the end, if the import must stop, and while it waits for
    /// go_on(): after a source of which something must be removed, and before one that needs
    /// everything before it to be stored.
    std::optional<SourceTask> next();
    /// Returns whether a source's begin was taken, but not the task after it. Take both or neither.
    bool has_begun() const { return second_.has_value(); }
    bool waits() const { return waits_; }
    bool needs_stored() const { return input_ && input_->opened.needs_stored; }
    /// Must be called after wrong text has been removed and everything before is stored. `stored`
    /// has all rows of the ledger, if needs_stored().
    void go_on(const std::vector<store::StoredSource>& stored);

  private:
    /// The current input.
    struct Input {
        Input();  // not implicit: clang 14 needs it before the class is complete

        std::optional<BeginSource> begin;  // empty after it was returned
        OpenedSource opened;
        std::unique_ptr<pgn::BatchSource> splitter;  // null if nothing of the input is read
        TextKind kind = TextKind::kGames;
        std::shared_ptr<SourceLanguage> language;
        std::string prefixes;
        std::uint64_t games = 0;
        std::uint64_t last_game_byte = 0;  // where the last game begins

        bool has_game_behind(std::uint64_t byte) const {
            return games != 0 && last_game_byte >= byte;
        }
    };

    bool stopped() const { return options_.stop && options_.stop(); }
    void open();
    void begin_reading();
    std::optional<SourceBatch> next_batch();
    void end_source(EndSource& end);

    const std::vector<std::string>& inputs_;
    const ImportOptions& options_;
    SourceLedger ledger_;
    bool ply_rows_;
    std::size_t current_ = 0;
    std::optional<Input> input_;
    std::optional<SourceTask> second_;  // follows a source's begin
    bool waits_ = false;                // for go_on()
};

}  // namespace fendex::ingest
