// What an import does with each of its inputs, as the ledger of what was imported tells: read it
// from its beginning, read it on from where an earlier import stopped or the file has grown, or
// leave it alone. What was read before is known by its digest, never by its name alone, but for a
// file of the same name, size and time of change.
//
// One thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pgn/byte_source.hpp"
#include "pgn/splitter.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

struct OpenedSource {
    store::SourceFile file;
    /// Empty: there is nothing to do.
    std::unique_ptr<pgn::ByteSource> text;
    /// What of the text has been read already: nothing, but for a source that is read on.
    pgn::TextBefore before;
    /// The row of the ledger that is read on, or where all of it has been imported before.
    std::optional<store::StoredSource> row;
    /// What the user has to know.
    std::string notice;
};

class SourceLedger {
  public:
    /// `rows` in the order of their ids. With `again` none of them counts.
    SourceLedger(std::vector<store::StoredSource> rows, bool again, pgn::SourceOptions options);

    /// Throws SourceError. Text that is skipped has been read and compared.
    OpenedSource open(const std::string& path);
    /// A source has been read to its end, or to where it fails.
    void add(const store::SourceFile& file, const store::SourceProgress& progress,
             std::uint64_t games);
    /// Whether there is a row of this name.
    bool knows(const std::string& path) const { return latest_.count(path) != 0; }

  private:
    bool read_on(const store::StoredSource& row, OpenedSource& out) const;
    bool imported_elsewhere(OpenedSource& out) const;

    std::vector<store::StoredSource> rows_;
    std::unordered_map<std::string, std::size_t> latest_;  // index of the last row of a path
    bool again_;
    pgn::SourceOptions options_;
};

/// What a path leads to now.
store::SourceFile describe_file(const std::string& path);

}  // namespace fendex::ingest
