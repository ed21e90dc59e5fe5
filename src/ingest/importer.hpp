// Imports archives into an indexed database. Workers read and replay batches; the calling thread
// writes their results in the order of the input and commits from time to time. Whenever enough
// postings have been collected, and at the end, it writes them as a segment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ingest/annotation_counts.hpp"
#include "ingest/game_languages.hpp"
#include "store/store.hpp"

namespace fendex::ingest {

enum class PlyRowChoice { kAuto, kYes, kNo };

/// With kAuto a new database stores ply rows if its inputs have at most this many bytes of text.
inline constexpr std::uint64_t kPlyRowsUpTo = 16 * 1024 * 1024;

struct ImportProgress {
    enum class Phase { kReading, kIndexing };
    Phase phase = Phase::kReading;
    std::uint64_t bytes = 0;        // of the inputs on disk, compressed or not
    std::uint64_t total_bytes = 0;  // 0 if an input is a stream
    std::uint64_t text_bytes = 0;
    std::uint64_t games = 0;
    std::uint64_t records = 0;
};

struct ImportOptions {
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    PlyRowChoice ply_rows = PlyRowChoice::kAuto;
    /// Keep comments, NAGs and variations.
    bool annotations = false;
    /// Also index the positions of variations.
    bool variations = false;
    /// Variant assumed for games without a Variant tag; unless it is standard, the tag is added.
    chess::Variant variant = chess::Variant::kStandard;
    /// Languages accepted for SAN, preferred first; empty means all.
    Languages languages = {};
    /// The first error undoes the import and is thrown as ImportFailed.
    bool strict = false;
    /// Keep the games of a damaged archive although its checksum shows that the text is wrong.
    bool keep_damaged = false;
    /// Leave out games that are stored already or came earlier in this import.
    bool skip_duplicates = false;
    /// Keep only records of positions that games of the database have reached.
    bool only_known = false;
    int zstd_window_log = 27;
    std::size_t batch_bytes = 512 * 1024;
    std::size_t read_bytes = 256 * 1024;
    /// Commit before a batch that could bring the commit past two million plies (a sixteenth of
    /// that with ply rows), or when half a minute has passed.
    std::uint64_t plies_per_commit = 1'900'000;
    /// Write a segment when this many postings have been read, or a quarter of the indexed ones, if
    /// that is more; with strict, only at the end. A segment of this size is not merged into later
    /// ones.
    std::uint64_t segment_postings = 32'000'000;
    /// Read every input from its beginning, even if it was imported already.
    bool again = false;
    /// With `again`: refuse an input whose games are still stored.
    bool refuse_doubles = false;
    /// The options as they were typed, for the ledger.
    std::string as_given = {};
    /// Called from time to time by any thread. If it returns true, the import ends: what has been
    /// read so far is committed (nothing with `strict`) and indexed by the next import. May be
    /// empty.
    std::function<bool()> stop = {};
    /// Called from time to time, in the calling thread.
    std::function<void(const ImportProgress&)> progress = {};
};

/// The sums of what an import has stored.
struct ImportCounts {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t errors = 0;
    std::uint64_t warnings = 0;    // also rows of import_error, but nothing is lost
    std::uint64_t duplicates = 0;  // left out
    std::uint64_t annotated = 0;   // games stored before that got comments
    std::uint64_t records = 0;     // of positions, as they were read
    std::uint64_t unknown = 0;     // records left out because of `only_known`
    AnnotationCounts left_out;
};

struct ImportSummary : ImportCounts {
    std::uint64_t text_bytes = 0;
    /// kNo also if it is not chosen yet, because only records of positions were imported.
    store::PlyRows ply_rows = store::PlyRows::kNo;
    std::uint64_t known_sources = 0;  // sources imported before, with nothing to do
    bool stopped = false;
    /// True if a database exists afterwards: it existed before, or something was stored.
    bool has_database = true;
    /// Messages about inputs for which the ledger already has a row.
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

/// Returns the size of the inputs' text as far as their headers and sizes show it
/// (pgn::text_size()). If it is larger than kPlyRowsUpTo, returns kPlyRowsUpTo + 1. Streams count
/// as 0.
[[nodiscard]] std::uint64_t expected_text(const std::vector<std::string>& inputs);

/// Imports `inputs`, the result of expand_inputs(). Throws StoreError; parts of an input that
/// cannot be read are stored as errors and listed in the summary.
ImportSummary import_files(store::Store& store, const std::vector<std::string>& inputs,
                           const ImportOptions& options);
/// Imports into the database at this location.
ImportSummary import_files(const std::string& database, const std::vector<std::string>& inputs,
                           const ImportOptions& options);

}  // namespace fendex::ingest
