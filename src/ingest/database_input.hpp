// Another database as an input of an import. Each row of its ledger becomes a source: its games are
// taken in batches, and at the end the row gets the name and the text of the original, so that the
// archive is known here, too. Sources whose text is known are left out.
//
// Until its end a row has the name of the database, and its progress is a place there
// (store::kPlacesInDatabases) with a digest of the source's identity and the place. By this digest
// the next import finds where to continue.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/source_task.hpp"
#include "ingest/stored_batch.hpp"
#include "store/store.hpp"

namespace fendex::ingest {

class DatabaseInput {
  public:
    struct Options {
        std::string written;  // the location of the database that is written
        unsigned threads = 1;
        std::uint64_t games_of_batch = 1;
        /// Take segments of the index as they are: everything before a segment must then be
        /// committed and indexed before its games are taken, and they must all be stored.
        bool copies_segments = false;
        /// Take rows as they are (StoredBatch::takes_rows).
        bool takes_rows = false;
    };

    /// Returns null if the file is not a fendex database. `number` is the index of the input.
    /// Throws SourceError if the database cannot be read, or if it is the one that is written.
    [[nodiscard]] static std::unique_ptr<DatabaseInput> open(const std::string& path,
                                                             std::size_t number,
                                                             const Options& options);

    /// Must be called once, before next(). `known` are the rows of the ledger that is written.
    void begin(const std::vector<store::StoredSource>& known);
    /// Returns the next task; empty at the end. Must not be called while this waits.
    std::optional<SourceTask> next();
    /// Returns whether all games taken so far must be committed and indexed before the next ones.
    bool waits() const;
    void go_on() { stored_up_to_ = parts_[current_].rest.first; }

  private:
    /// A source of the other database.
    struct Part {
        store::StoredSource row;  // of the other ledger
        store::GameRange rest;    // games that have not been taken
        bool has_text = true;     // false: these games or records are in no row there
        bool all_records = false;
        std::optional<store::StoredSource> continued;  // the row here
        std::vector<store::StoredSource> inside;       // rows here that share its text
        store::GameId first_taken = 1;                 // where this import begins
        std::vector<store::StoredError> errors;
        std::size_t next_error = 0;
        std::uint64_t next_keys = 0;
        bool begun = false;
        bool has_batch = false;
    };

    DatabaseInput(const std::string& path, std::size_t number, std::shared_ptr<store::Store> store,
                  const Options& options);

    bool has_better_copy(const store::StoredSource& row,
                         const std::vector<store::StoredSource>& rows) const;
    void add_part(const store::StoredSource& row, const std::vector<store::StoredSource>& known);
    void add_parts_of_records(const std::vector<store::StoredSource>& rows,
                              const std::vector<store::StoredSource>& known);
    void add_unclaimed(store::GameId first, store::GameId last,
                       const std::vector<store::StoredSource>& known);
    void read_errors();
    void read_joins();
    std::uint64_t count_games(store::GameId first, store::GameId end) const;
    void find_copyable_segments();
    bool is_taken_whole(const store::GameRange& games) const;
    std::string digest_at(const store::StoredSource& row, store::GameId next) const;
    store::SourceProgress place(const store::StoredSource& row, store::GameId next) const;
    BeginSource begin_part(const Part& part) const;
    std::optional<StoredBatch> next_batch(Part& part);
    static void take_errors(Part& part, StoredBatch& batch);
    EndSource end_part(const Part& part) const;

    std::string path_;
    std::size_t number_;
    store::SourceFile file_;
    std::shared_ptr<store::Store> store_;
    std::shared_ptr<OtherDatabase> database_;
    store::LocalReader& reader_;
    store::StoreInfo info_;
    std::uint64_t games_of_batch_;
    bool copies_segments_;
    bool takes_rows_;
    std::vector<Part> parts_;
    std::vector<store::GameRange> copyable_;  // segments, all of whose games are taken
    store::GameId stored_up_to_ = 0;          // the games before this one are committed and indexed
    std::size_t current_ = 0;
    std::vector<SourceTask> first_;  // tasks before those of the parts, the last one first
    std::vector<JoinedThere> joins_;
    std::uint64_t known_sources_ = 0;
    std::uint64_t known_games_ = 0;
    std::uint64_t second_copies_ = 0;  // of sources that are there twice
};

}  // namespace fendex::ingest
