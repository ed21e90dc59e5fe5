// The tasks of the importer's workers: one input after the other, cut into batches of whole games.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/database_input.hpp"
#include "ingest/importer.hpp"
#include "ingest/source_ledger.hpp"
#include "ingest/source_task.hpp"
#include "pgn/batch.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// Opens one input after the other and cuts it into batches. Each source gives a begin, any number
/// of batches and an end, unless the import is stopped in it. An input is one source, or a database
/// with any number of them. One thread at a time.
class TaskSource {
  public:
    /// The database to which the games go.
    struct Target {
        bool ply_rows = false;
        bool takes_rows = false;  // see store::StoreWriter
    };

    /// `written` is its location.
    TaskSource(const std::vector<std::string>& inputs, const ImportOptions& options,
               const std::string& written, SourceLedger ledger, const Target& target)
        : inputs_(inputs),
          options_(options),
          written_(written),
          ledger_(std::move(ledger)),
          target_(target) {}

    /// Returns the next task. Empty at the end, if the import must stop, and while it waits for
    /// go_on(): after a source of which something must be removed, and before one, or a part of
    /// one, that needs everything before it to be stored.
    std::optional<SourceTask> next();
    /// Returns whether a source's begin was taken, but not the task after it. Take both or neither.
    bool has_begun() const { return second_.has_value(); }
    bool waits() const { return waits_; }
    bool needs_stored() const {
        return input_ && (input_->opened.needs_stored ||
                          (input_->database != nullptr && input_->database->waits()));
    }
    /// Must be called after wrong text has been removed and everything before is stored. `stored`
    /// has all rows of the ledger, if needs_stored().
    void go_on(const std::vector<store::StoredSource>& stored);

  private:
    /// The current input.
    struct Input {
        Input();  // not implicit: clang 14 needs it before the class is complete

        std::optional<BeginSource> begin;  // empty after it was returned
        OpenedSource opened;
        std::unique_ptr<DatabaseInput> database;     // null if the input is a text
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
    std::optional<SourceTask> next_of_database();
    void begin_reading();
    std::optional<SourceBatch> next_batch();
    void end_source(EndSource& end);

    const std::vector<std::string>& inputs_;
    const ImportOptions& options_;
    const std::string& written_;
    SourceLedger ledger_;
    Target target_;
    std::size_t current_ = 0;
    /// Set if the current input is to be read again: OpenedSource::lacks_notes.
    std::vector<store::StoredSource> lacks_notes_;
    std::optional<Input> input_;
    std::optional<SourceTask> second_;  // follows a source's begin
    bool waits_ = false;                // for go_on()
};

}  // namespace fendex::ingest
