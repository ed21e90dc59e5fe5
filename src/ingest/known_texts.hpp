// Recognises texts that have been imported, by the digests of their beginnings, while they are
// read, because a stream cannot be read twice.
//
// Text is known up to a mark or the checkpoint of a source (pgn/checkpoint.hpp) if its digest there
// is the same. Text after the last such place is kept in memory, at most kMaxHeld bytes. So a
// stream is not recognised beyond a mark if the next one is farther away than that. One thread at a
// time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pgn/batch.hpp"
#include "pgn/byte_source.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// How much of a text is known.
struct KnownPart {
    /// The text before this place is that of source `source`; 0 bytes if it is not known.
    pgn::TextBefore before;
    /// Index of that source. Also set with 0 bytes if a source has no checkpoint and the text
    /// continues it.
    std::optional<std::size_t> source;
    /// True if the text is known to its end.
    bool whole = false;
    /// Sources whose text is the same so far but longer: the text after `before` may be part of
    /// theirs.
    std::vector<std::size_t> inside;
    /// Set if the archive is damaged at the same place as when it was imported.
    std::optional<pgn::SourceError> same_damage;
    /// The text that has been read after `before`; incomplete if `read_too_far`.
    std::string ahead;
    bool read_too_far = false;
};

class KnownTexts {
  public:
    static constexpr std::uint64_t kMaxHeld = std::uint64_t{32} << 20;

    /// Adds source `index`; indexes must ascend. A source without text, or from a database, is
    /// ignored.
    void add(std::size_t index, const store::StoredSource& source);
    /// Removes a source whose text is the beginning of a later source.
    void remove(std::size_t index) { sources_.erase(index); }

    /// Reads `text` from its beginning as far as it is known. Among equal sources those of `path`
    /// are preferred. If reading failed, reading on will throw the same error. Text that can be
    /// read twice may be read too far in order to recognise it.
    KnownPart recognise(pgn::ByteSource& text, const std::string& path, bool can_be_read_twice,
                        const std::function<bool()>& stop) const;

  private:
    /// A place at which the text's digest is known.
    struct Point {
        pgn::Mark mark;  // if its line is 0, reading cannot resume there
        bool end = false;
    };
    struct Source {
        std::string path;
        std::uint64_t resume_byte = 0;
        bool complete = false;
        std::vector<Point> points;  // ascending
    };
    class Reading;

    std::map<std::size_t, Source> sources_;
    /// The sources by their first points: byte, then digest.
    std::map<std::uint64_t, std::unordered_multimap<std::string, std::size_t>> first_points_;
};

/// Reads and drops up to `bytes` of text; returns how many there were.
std::uint64_t skip_text(pgn::ByteSource& text, std::uint64_t bytes,
                        const std::function<bool()>& stop);

}  // namespace fendex::ingest
