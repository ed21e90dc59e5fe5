// What an import does with each of its inputs, as the ledger of what was imported tells: read it
// from its beginning, read it on from where an earlier import stopped or the text has grown, or
// leave it alone. What was read before is known by its digest (known_texts.hpp), whatever its name
// is, but for a file of the same name, size and time of change, which is not read at all.
//
// One thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ingest/known_texts.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/splitter.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

struct OpenedSource {
    store::SourceFile file;
    /// Empty: there is nothing to do.
    std::unique_ptr<pgn::ByteSource> text;
    /// The archive is damaged as it was before: all before the damage has been imported.
    std::optional<pgn::SourceError> failure;
    /// What of the text is known, and is not read again.
    pgn::TextBefore before;
    std::string prefixes;  // its marks, as SourceProgress has them
    /// The row of the ledger that is read on, or that has all of the text.
    std::optional<store::StoredSource> row;
    /// Rows that have the text before that of `row`, in its order.
    std::vector<store::StoredSource> rows_before;
    /// The text seems to end inside what these rows have: games of theirs are not to be stored
    /// again.
    std::vector<store::StoredSource> inside;
    /// Some of these rows are of this import. SourceLedger::set_stored() must be called when
    /// everything that was read before is stored.
    bool needs_stored = false;
    /// What the user has to know.
    std::string notice;
};

class SourceLedger {
  public:
    /// `rows` in the order of their ids. With `again`, the options of an import that reads
    /// everything once more, none of them counts, but for those of such an import that was
    /// interrupted.
    SourceLedger(std::vector<store::StoredSource> rows, const std::optional<std::string>& again,
                 pgn::SourceOptions options);

    /// Throws SourceError.
    OpenedSource open(const std::string& path);
    /// Replaces rows that have no id yet by what is stored now.
    static void set_stored(const std::vector<store::StoredSource>& stored, OpenedSource& out);
    /// A source has been read to its end, or to where it fails.
    void add(const store::SourceFile& file, const store::SourceProgress& progress,
             std::uint64_t games);
    /// Whether there is a row of this name.
    bool knows(const std::string& path) const { return names_.count(path) != 0; }

  private:
    void add_rows_before(OpenedSource& out) const;
    void go_on(KnownPart& known, const store::StoredSource* named, OpenedSource& out);

    std::vector<store::StoredSource> rows_;
    KnownTexts texts_;
    std::unordered_map<std::string, std::size_t> latest_;  // index of the last row of a path
    std::unordered_set<std::string> names_;                // of all rows
    bool again_;
    pgn::SourceOptions options_;
};

/// The place from which on a row has the text.
pgn::Checkpoint begin_of(const store::StoredSource& row);

/// What a path leads to now.
store::SourceFile describe_file(const std::string& path);

}  // namespace fendex::ingest
