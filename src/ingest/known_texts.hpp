// The texts that have been imported, by the digests of their beginnings: recognises one of them
// while it is read, for a stream cannot be read twice.
//
// Text is known up to a mark or the checkpoint of a source (pgn/checkpoint.hpp) as soon as its
// digest there is the same. What follows the last one is held in memory, at most kMaxHeld bytes: a
// stream is not recognised beyond a mark whose next one is farther away. One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "pgn/byte_source.hpp"
#include "pgn/splitter.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// How far a text is known.
struct KnownPart {
    /// The text up to here is that of source `source`; 0 bytes if it is not known.
    pgn::TextBefore before;
    /// Index of that source. Also set at 0 bytes, if a source has no checkpoint and the text goes
    /// on where it ends.
    std::optional<std::size_t> source;
    /// The text is known to its end.
    bool whole = false;
    /// Sources that the text has been so far and that go on where it ends: what follows `before`
    /// may be a part of them.
    std::vector<std::size_t> inside;
    /// The archive is damaged where it was when it was imported.
    std::optional<pgn::SourceError> same_damage;
    /// What has been read after `before`; too much to be held if `read_too_far`.
    std::string ahead;
    bool read_too_far = false;
};

class KnownTexts {
  public:
    static constexpr std::uint64_t kMaxHeld = std::uint64_t{32} << 20;

    /// Source `index` (they ascend). Nothing is known by a source without text.
    void add(std::size_t index, const store::StoredSource& source);
    /// A later source has its text and goes on.
    void remove(std::size_t index) { sources_.erase(index); }

    /// Reads `text` from its beginning as far as it is known; sources of `path` come first among
    /// those that are the same. If it failed, reading it on throws that again. Text that can be
    /// read twice is read too far rather than not recognised.
    KnownPart recognise(pgn::ByteSource& text, const std::string& path, bool can_be_read_twice,
                        const std::function<bool()>& stop) const;

  private:
    /// A place at which the text's digest is known.
    struct Point {
        pgn::Mark mark;  // line 0: the text cannot be read on from there
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
    /// The sources by their first points: byte and digest.
    std::map<std::uint64_t, std::unordered_multimap<std::string, std::size_t>> first_points_;
};

/// Reads `bytes` of text, or what there is of them; returns how many.
std::uint64_t skip_text(pgn::ByteSource& text, std::uint64_t bytes,
                        const std::function<bool()>& stop);

}  // namespace fendex::ingest
