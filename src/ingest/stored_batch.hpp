// A worker's task: reads games, or records of positions, of another database in the form in which
// they are stored here. Games are replayed. What is derived from them is made anew, unless its
// checksums there tell that it is as it was written, by the rules of this program.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "replay/game_trace.hpp"
#include "store/game_range.hpp"
#include "store/records.hpp"
#include "store/snapshot_readers.hpp"

namespace fendex::ingest {

/// One snapshot of another database, with a reader for each thread and two more.
struct OtherDatabase {
    OtherDatabase(std::string name, store::Store& store, unsigned threads);

    /// Returns the reader that no worker uses.
    store::LocalReader& spare_reader() { return readers[readers.size() - 1]; }
    /// Returns the reader for the thread of the writer.
    store::LocalReader& reader_of_writer() { return readers[readers.size() - 2]; }

    std::string path;
    store::SnapshotReaders readers;
    /// The texts of openings by their codes, if games have current facts there.
    std::unordered_map<std::uint32_t, std::string> openings;
};

/// Keys from `first` to `last`.
struct KeyRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

struct StoredBatch {
    std::shared_ptr<OtherDatabase> database;
    /// The records of these positions; without it, games.
    std::optional<KeyRange> records = {};
    store::GameRange games = {};
    /// Errors of these games, and errors outside any game, with the ids of the other database.
    std::vector<store::StoredError> errors = {};
    bool is_of_records = false;  // also set if there are none
    bool in_copyable_segment = false;
    /// Rows are taken as they are where that is possible: no game will be compared by its tags.
    bool takes_rows = false;
};

/// One object per worker.
class StoredBatchReader {
  public:
    /// Games that cannot be read become errors. Throws StoreError if the database cannot be read
    /// for other reasons.
    store::NewGames read(const StoredBatch& batch, unsigned thread, bool ply_rows);

  private:
    class Games;

    replay::AnyTrace trace_;
};

}  // namespace fendex::ingest
