// The main job: archives in, an indexed database out. Workers read and replay batches; the calling
// thread writes their results in the order of the input and commits as it goes; whenever enough
// postings have been collected, and at the end, they become a segment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ingest/game_languages.hpp"
#include "store/store.hpp"

namespace fendex::ingest {

enum class PlyRowChoice { kAuto, kYes, kNo };

/// With kAuto a new database stores ply rows if its inputs take no more than this on disk.
inline constexpr std::uint64_t kPlyRowsUpTo = 16 * 1024 * 1024;

struct ImportProgress {
    enum class Phase { kReading, kIndexing };
    Phase phase = Phase::kReading;
    std::uint64_t bytes = 0;        // of the inputs on disk, compressed or not
    std::uint64_t total_bytes = 0;  // 0 where an input is a stream
    std::uint64_t text_bytes = 0;
    std::uint64_t games = 0;
};

struct ImportOptions {
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    PlyRowChoice ply_rows = PlyRowChoice::kAuto;
    /// Comments, NAGs and variations are kept.
    bool annotations = false;
    /// And the positions of variations indexed.
    bool variations = false;
    /// Variant assumed for games without a Variant tag; unless it is standard, the tag is added.
    chess::Variant variant = chess::Variant::kStandard;
    /// Languages accepted for SAN, preferred first; empty means all.
    Languages languages = {};
    /// The first error undoes the import and is thrown as ImportFailed.
    bool strict = false;
    /// Games of a damaged archive are kept although its checksum says that the text is wrong.
    bool keep_damaged = false;
    /// Leaves games out that are stored already, or came before.
    bool skip_duplicates = false;
    int zstd_window_log = 27;
    std::size_t batch_bytes = 512 * 1024;
    std::size_t read_bytes = 256 * 1024;
    /// A commit comes when the next batch could bring it past two million plies (a sixteenth of
    /// that with ply rows), or after half a minute.
    std::uint64_t plies_per_commit = 1'900'000;
    /// So many postings are written as a segment while games are still being read (where a quarter
    /// of what is indexed is more: that many; with strict: none), and a segment of so many is not
    /// absorbed by later ones.
    std::uint64_t segment_postings = 32'000'000;
    /// Nothing counts as imported already: every input is read from its beginning.
    bool again = false;
    /// The options as they were typed, for the ledger.
    std::string as_given;
    /// Called now and then by any thread. If it returns true, the import ends: what has been read
    /// so far is committed (nothing with `strict`) and indexed by the next import. May be empty.
    std::function<bool()> stop = {};
    /// Called now and then, in the calling thread.
    std::function<void(const ImportProgress&)> progress;
};

/// The sums of what an import has stored.
struct ImportCounts {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t errors = 0;
    std::uint64_t warnings = 0;    // rows of import_error as well: nothing is lost
    std::uint64_t duplicates = 0;  // left out
};

struct ImportSummary : ImportCounts {
    std::uint64_t text_bytes = 0;
    store::PlyRows ply_rows = store::PlyRows::kNo;
    std::uint64_t known_sources = 0;  // imported before: nothing was done
    bool stopped = false;
    /// False if nothing of the inputs was stored and there was no database before: there is none.
    bool has_database = true;
    /// Messages about inputs that the ledger already has a row of.
    std::vector<std::string> notices;
    /// One message for each input that could not be read to its end, or holds no game.
    std::vector<std::string> failures;
    /// Messages about inputs that were odd but could be read.
    std::vector<std::string> oddities;
};

class ImportFailed : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// `inputs` as expand_inputs() gives them. Throws StoreError; what cannot be read of an input is
/// stored as an error and listed in the summary.
ImportSummary import_files(store::Store& store, const std::vector<std::string>& inputs,
                           const ImportOptions& options);
/// The same for the database at this location.
ImportSummary import_files(const std::string& database, const std::vector<std::string>& inputs,
                           const ImportOptions& options);

}  // namespace fendex::ingest
