// Decides, by the ledger of imports, what an import does with each input: read it from its
// beginning, continue where an earlier import stopped or where the text has grown, or skip it. Text
// is recognised by its digest (known_texts.hpp), whatever its name. A file of the same name, size
// and time of change is not read at all.
//
// One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ingest/known_texts.hpp"
#include "pgn/batch.hpp"
#include "pgn/byte_source.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// An input, and the rows of the ledger that know its text.
struct KnownSource {
    store::SourceFile file;
    std::string prefixes;  // marks of the known part of its text, encoded as in SourceProgress
    /// The row of the ledger that is continued, or that has all of the text.
    std::optional<store::StoredSource> row;
    /// Rows that have the text before that of `row`, in the order of the text.
    std::vector<store::StoredSource> rows_before;
    /// Rows that the text seems to be a part of; their games must not be stored again.
    std::vector<store::StoredSource> inside;
    /// All of its text is known, and read only for the comments of the games of `inside`.
    bool only_notes = false;
    /// A message to the user.
    std::string notice;
};

struct OpenedSource : KnownSource {
    /// Null if there is nothing to do.
    std::unique_ptr<pgn::ByteSource> text;
    /// Set if the archive has the same damage as before; all text before the damage has been
    /// imported.
    std::optional<pgn::SourceError> failure;
    /// The known part of the text, which is not read again.
    pgn::TextBefore before;
    /// Rows of the known part that were imported without comments, which are to be added after the
    /// rest of the text was read.
    std::vector<store::StoredSource> lacks_notes;
    /// Whether the known part of the text has records of positions, not games.
    bool of_records = false;
    /// True if some of these rows are of this import. SourceLedger::set_stored() must be called
    /// when everything that was read before is stored.
    bool needs_stored = false;
};

class SourceLedger {
  public:
    struct Policy {
        /// The options of an import that reads everything once more. Then all rows are ignored,
        /// except those of an interrupted import with these options.
        std::optional<std::string> again = {};
        /// Read a known text for the comments that an import left out.
        bool adds_notes = false;
        /// Returns whether games of this row are still stored. If set, a text of which that is so
        /// is not read again.
        std::function<bool(const store::StoredSource&)> refuses = {};
    };

    /// `rows` must be in the order of their ids.
    SourceLedger(std::vector<store::StoredSource> rows, Policy policy, pgn::SourceOptions options);

    /// Returns a message if games of this text are stored and Policy::refuses is set.
    [[nodiscard]] std::optional<std::string> refusal(const std::string& path) const;
    /// Throws SourceError.
    OpenedSource open(const std::string& path);
    /// Opens a text whose games are known, for the comments of the games of these rows. Throws
    /// SourceError.
    [[nodiscard]] OpenedSource open_for_notes(const std::string& path,
                                              std::vector<store::StoredSource> rows) const;
    /// Replaces rows without an id by the rows stored now.
    static void set_stored(const std::vector<store::StoredSource>& stored, OpenedSource& out);
    /// Returns the rows by which another database is known: `stored`, or if that is empty, those
    /// that this object has; and if everything is read once more, those of the interrupted import
    /// and those that may not be stored twice.
    [[nodiscard]] std::vector<store::StoredSource> compared_rows(
        const std::vector<store::StoredSource>& stored) const;
    /// Adds a source that has been read to its end or to a failure.
    void add(const store::SourceFile& file, const store::SourceProgress& progress,
             std::uint64_t games, bool of_records);
    /// Returns whether there is a row of this name.
    bool knows(const std::string& path) const { return names_.contains(path); }

  private:
    const store::StoredSource* last_row_of(const std::string& path) const;
    bool has_notes_to_add(const store::StoredSource& row) const;
    std::vector<store::StoredSource> rows_without_notes(const store::StoredSource& last) const;
    /// Returns the rows with the text before that of `last`, in the order of the text.
    std::vector<store::StoredSource> rows_before(const store::StoredSource& last) const;
    std::size_t row_with_open_game(std::size_t index) const;
    void go_on(KnownPart& known, const store::StoredSource* named, OpenedSource& out);

    std::vector<store::StoredSource> rows_;
    KnownTexts texts_;
    std::unordered_map<std::string, std::size_t> latest_;  // index of the last row of a path
    std::unordered_set<std::string> names_;                // the names of all rows
    Policy policy_;
    KnownTexts stored_texts_;                       // of all rows, if texts may be refused
    std::vector<store::StoredSource> interrupted_;  // by an import that reads everything again
    pgn::SourceOptions options_;
};

/// Returns the place in the text at which a row begins.
pgn::Checkpoint begin_of(const store::StoredSource& row);

/// Returns the properties of the file at a path; for a file in an archive, those of the archive.
store::SourceFile describe_file(const std::string& path);

}  // namespace fendex::ingest
