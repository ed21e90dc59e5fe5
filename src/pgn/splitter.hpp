// Cuts a stream of PGN text into batches of whole games. The Splitter alone decides where a game
// begins and ends (the Reader parses what it is given), and it decides by a state machine over the
// bytes that can stop at any of them: so neither the size of a read nor where a batch is cut can
// change what a game is. Memory: one batch, and at most max_game_bytes of a game.
//
// A game ends behind a termination marker outside variations; before a tag pair that follows
// movetext; before a tag pair that repeats the first one's name after a blank line, or [Event]
// anywhere; and at the end of the input. Words that are neither tags nor moves, outside a game, are
// junk: reported, never silently skipped.
//
// Not thread-safe; use one per stream.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/digest.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/checkpoint.hpp"
#include "pgn/lexer.hpp"

namespace fendex::pgn {

struct Extent {
    enum class Kind : std::uint8_t { kGame, kJunk };
    std::size_t offset = 0;  // in Batch::text
    std::size_t size = 0;
    Kind kind = Kind::kGame;
    /// The text was cut short (by a damaged archive, or because the game is longer than
    /// max_game_bytes): the last word may be half a word.
    bool truncated = false;
};

/// The text up to a checkpoint, as a Splitter that goes on from there has to know it.
struct TextBefore {
    Checkpoint checkpoint;
    base::Digest digest;     // of all of it
    std::string last_bytes;  // Splitter::kLookbehind of them, or all
    std::uint64_t last_mark = 0;
};

struct Batch {
    std::string text;
    std::vector<Extent> extents;
    std::uint64_t stream_offset = 0;      // of text[0] in the uncompressed stream
    std::uint64_t first_line = 1;         // the number of the line text[0] is in
    std::uint64_t compressed_offset = 0;  // bytes of the input consumed when the batch was cut
    /// The last one known: mostly the end of the last game, but a game that is longer than
    /// max_game_bytes, or that the input ends in, may stand behind it, and so may junk.
    Checkpoint checkpoint;
    std::vector<Mark> marks;  // of this batch
    /// No checksum of the source can prove wrong any more what was handed out up to the checkpoint.
    bool checked = true;

    std::size_t games() const;
};

struct SplitterOptions {
    std::size_t batch_bytes = 512 * 1024;
    std::size_t read_bytes = 256 * 1024;
    std::size_t max_game_bytes = 64 * 1024 * 1024;
};

class Splitter {
  public:
    /// Bytes kept before the first that is still needed: what is behind a character can matter.
    static constexpr std::size_t kLookbehind = 4;

    explicit Splitter(ByteSource& source, SplitterOptions options = {});
    /// Goes on behind `before`, which has been read from the source. Lines and bytes are counted
    /// from the text's beginning.
    Splitter(ByteSource& source, SplitterOptions options, TextBefore before);

    /// The next batch; false at the end. A SourceError of the source is thrown after all that was
    /// read before it has been handed out.
    bool next(Batch& out);

    /// Known at the end: where a comment begins that stands outside any game and is never closed.
    /// What follows it has not been read as games.
    std::optional<std::uint64_t> unclosed_comment() const;

    /// Known at the end, also where it is a failure: the last checkpoint, the text's size and its
    /// digest.
    const Checkpoint& checkpoint() const { return checkpoint_; }
    std::uint64_t text_bytes() const { return stream_offset_ + buffer_.size(); }
    std::string digest() const { return digest_.hex(); }

  private:
    /// What the scanned text belongs to. Between games there are blanks and comments.
    struct Between {};
    struct Junk {};
    struct Tags {
        std::string first_name;
        bool has_event = false;
    };
    struct Moves {
        unsigned depth = 0;  // of variations
    };
    using Item = std::variant<Between, Junk, Tags, Moves>;

    /// What is scanned to its end before anything else is decided.
    enum class Inside : std::uint8_t {
        kNothing,
        kTagValue,
        kBrokenTag,
        kWord,
        kComment,
        kLineComment,
        kJunkWord,
    };

    bool fill();
    void scan();
    bool at_line_start() const;
    bool step_inside(const char* stop);
    void step(const char* stop);
    void step_bracket();
    void step_outside();
    void step_moves(const char* stop);
    void skip_moves(const char* stop);
    bool in_game() const { return is_in<Tags>() || is_in<Moves>(); }
    template <typename State>
    bool is_in() const {
        return std::holds_alternative<State>(item_);
    }
    void begin_game(Item item);
    void end_game();
    void begin_junk();
    void end_junk();
    void end_item(Extent::Kind kind);
    void add_extent(Extent::Kind kind, bool truncated);
    void limit_item();
    void cut(Batch& out);
    std::size_t checked_extents(std::uint64_t unchecked) const;
    void add_marks(const std::vector<Extent>& extents);
    std::uint64_t lines_before(std::size_t end);
    void add_checkpoint(std::size_t end);
    void digest_to(std::size_t end);
    void pass(std::size_t end);
    void drop(std::size_t end);
    const char* at(std::size_t offset) const { return buffer_.data() + offset; }

    ByteSource& source_;
    SplitterOptions options_;
    std::string buffer_;
    std::size_t pos_ = 0;       // scanned up to here
    std::size_t boundary_ = 0;  // everything before belongs to finished extents
    std::size_t digested_ = 0;
    std::optional<std::size_t> game_end_;  // the last one, if it is behind the last checkpoint
    std::uint64_t stream_offset_ = 0;
    std::uint64_t line_ = 1;           // of buffer_[0]
    std::size_t counted_ = 0;          // bytes of buffer_ in which line ends have been counted
    std::uint64_t lines_counted_ = 0;  // the line ends in them
    base::Digest digest_;
    Checkpoint checkpoint_;
    std::vector<Mark> marks_;  // since the last batch
    std::uint64_t next_mark_ = next_mark(0);
    std::vector<Extent> extents_;
    std::exception_ptr failure_;
    bool eof_ = false;

    Item item_;
    /// Where the game or junk begins. None if it was too long, so that its beginning has been
    /// handed out and the rest is skipped; or between games.
    std::optional<std::size_t> item_start_;
    Inside inside_ = Inside::kNothing;
    std::uint64_t outside_comment_ = 0;  // where the last one outside games begins, in the stream
    unsigned newlines_ = 2;  // since the last tag pair or game; 0 between games: one has just ended
    TagScan tag_scan_;
    CommentScan comment_scan_;
};

}  // namespace fendex::pgn
