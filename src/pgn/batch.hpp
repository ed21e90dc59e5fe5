// A text, cut into batches that can be read one by one: of whole games (splitter.hpp), or of whole
// lines (line_splitter.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "pgn/checkpoint.hpp"

namespace fendex::pgn {

/// A game, or a piece of text that is none.
struct Extent {
    enum class Kind : std::uint8_t { kGame, kJunk };
    std::size_t offset = 0;  // in Batch::text
    std::size_t size = 0;
    Kind kind = Kind::kGame;
    /// The text was cut short (by a damaged archive, or because the game is longer than
    /// max_game_bytes): the last word may be half a word.
    bool truncated = false;
};

/// The text before a checkpoint, as far as a BatchSource that resumes there must know it.
struct TextBefore {
    static constexpr std::size_t kLastBytes = 4;

    Checkpoint checkpoint;
    base::Digest digest;  // of all the text before
    /// Its last kLastBytes bytes, or all: how the text goes on may depend on them.
    std::string last_bytes;
    std::uint64_t last_mark = 0;
};

struct Batch {
    std::string text;
    std::vector<Extent> extents;
    std::uint64_t stream_offset = 0;      // of text[0] in the uncompressed stream
    std::uint64_t first_line = 1;         // the number of the line text[0] is in
    std::uint64_t compressed_offset = 0;  // bytes of the input consumed when the batch was cut
    /// The last checkpoint, usually the end of the last game. It may be followed by a game that is
    /// longer than max_game_bytes, by an unfinished game at the end of the input, or by junk.
    Checkpoint checkpoint;
    std::vector<Mark> marks;  // of this batch
    /// True if the text before the checkpoint has passed the checksums of the source.
    bool checked = true;

    std::size_t games() const;
};

/// One thread at a time.
class BatchSource {
  public:
    virtual ~BatchSource() = default;

    /// Returns the next batch; false at the end. If reading throws a SourceError, next() throws it
    /// after it has returned all text before the failure.
    [[nodiscard]] virtual bool next(Batch& out) = 0;

    /// Valid at the end: the offset of a comment outside games that is never closed; empty if there
    /// is none. The text after it has not been read as games.
    virtual std::optional<std::uint64_t> unclosed_comment() const { return std::nullopt; }

    // Valid at the end, even if that is a failure: the last checkpoint, the text's size and its
    // digest.
    virtual const Checkpoint& checkpoint() const = 0;
    virtual std::uint64_t text_bytes() const = 0;
    virtual std::string digest() const = 0;
};

}  // namespace fendex::pgn
